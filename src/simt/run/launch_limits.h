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
  uint64_t sharedBytes = 0;    ///< Of all shared variables that it uses, without the dynamic part.
  uint64_t constantBytes = 0;  ///< Of all constant variables of its module.
  uint32_t registers = 0;      ///< Of a thread, by ptxas; 0: not known, and not looked at.
};

/// Bytes of the constant variables, one behind the other.
[[nodiscard]] uint64_t constantBytesOf(const ptx::Module& module);

/// Why no GPU runs this launch of `entry`, in a sentence without its end; nothing where it does.
[[nodiscard]] std::optional<std::string> whyNotLaunched(const Launch& launch,
                                                        const ptx::Function& entry,
                                                        const KernelNeeds& needs);

}  // namespace tilestep::simt
