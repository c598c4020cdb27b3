// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "device/captured.h"
#include "lab/launch/operands.h"

namespace tilestep::lab {

/// A draft of front matter for the kernel of a captured launch, for a person to correct. It has the
/// sizes, shapes and roles of `inferred`. A grid that covers a size is written as a quotient of
/// that size; all other numbers are literal. Errors: a name or a parameter that front matter cannot
/// express.
[[nodiscard]] Result<std::string> draftOf(const device::CapturedLaunch& launch,
                                          const InferredLaunch& inferred);

}  // namespace tilestep::lab
