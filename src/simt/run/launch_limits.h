// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/launch.h"
#include "ptx/ir.h"

namespace tilestep::simt {

/// Why no GPU runs this launch of `entry`, in a sentence without its end; nothing where it does.
/// `sharedBytes`: of all shared variables that it uses, without the dynamic part. What only ptxas
/// knows, such as the registers of a thread, is not looked at.
[[nodiscard]] std::optional<std::string> whyNotLaunched(const Launch& launch,
                                                        const ptx::Function& entry,
                                                        uint64_t sharedBytes);

}  // namespace tilestep::simt
