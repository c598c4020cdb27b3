// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "compile/kernel.h"
#include "device/device.h"

namespace tilestep::model {

/// The values of an operand that a kernel only reads, made from the seed when they are wanted:
/// a large matrix is then never held. Never changes; any thread.
class SeededValues {
 public:
  /// `index`: of the operand among the kernel's.
  SeededValues(const compile::ResolvedOperand& operand, uint32_t index, uint64_t seed);

  /// Elements [first, first + count), all of them the operand's.
  void read(uint64_t first, uint64_t count, float* out) const;
  /// Both have the same values.
  [[nodiscard]] bool sameAs(const SeededValues& other) const;

 private:
  device::Operand operand_;
  uint32_t index_;
  uint64_t seed_;
};

}  // namespace tilestep::model
