// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// The stride by which integer registers change while a kernel runs: any two values that one thread
/// ever has in a register differ by a multiple of 2 to the power of its grain. An address whose
/// grain is 5 or more always has the same position within 32 bytes. Static and conservative: 0 if
/// nothing is known.
class Grains {
 public:
  explicit Grains(const Function& function);
  [[nodiscard]] uint32_t grain(uint32_t reg) const { return grain_[reg]; }

 private:
  void step(const Function& function, const std::vector<std::vector<uint32_t>>& definitions);

  std::vector<uint32_t> grain_;
  std::vector<uint32_t> factor_;  ///< Every value is a multiple of 2 to this power.
};

}  // namespace tilestep::ptx
