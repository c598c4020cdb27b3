// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "device/captured.h"
#include "lab/launch/operands.h"

namespace tilestep::lab {

/// Front matter for the kernel of a captured launch, to be read and corrected by a person: the
/// sizes, shapes and roles that `inferred` has of it. A grid that covers a size is written as a
/// quotient of that size, and every other number as it was. Valid TOML of known keys. Errors: a
/// name or a parameter that front matter cannot hold.
[[nodiscard]] Result<std::string> draftOf(const device::CapturedLaunch& launch,
                                          const InferredLaunch& inferred);

}  // namespace tilestep::lab
