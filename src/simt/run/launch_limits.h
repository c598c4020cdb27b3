// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/launch.h"
#include "ptx/ir.h"

namespace tilestep::simt {

/// Why no GPU runs this launch of `entry`, in a sentence without its end; nothing where it does.
/// `sharedBytes`: of all shared variables that it uses, without the dynamic part. `registers`: of a
/// thread, by ptxas; 0: not known, and not looked at.
[[nodiscard]] std::optional<std::string> whyNotLaunched(const Launch& launch,
                                                        const ptx::Function& entry,
                                                        uint64_t sharedBytes, uint32_t registers);

}  // namespace tilestep::simt
