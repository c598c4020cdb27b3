// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/launch.h"
#include "ptx/ir.h"

namespace tilestep::simt {

/// The GPU resources of a kernel besides its threads.
struct KernelNeeds {
  uint64_t sharedBytes = 0;    ///< Shared variables that it uses, without the dynamic part.
  uint64_t constantBytes = 0;  ///< All constant variables of its module.
  uint32_t registers = 0;      ///< Per thread, from ptxas; 0 if unknown, which is not checked.
};

/// The bytes of the module's constant variables, including alignment.
[[nodiscard]] uint64_t constantBytesOf(const ptx::Module& module);

/// The reason why no GPU can run this launch of `entry`, without a full stop, or nothing.
[[nodiscard]] std::optional<std::string> whyNotLaunched(const Launch& launch,
                                                        const ptx::Function& entry,
                                                        const KernelNeeds& needs);

}  // namespace tilestep::simt
