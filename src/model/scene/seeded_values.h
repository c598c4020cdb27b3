// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "compile/kernel.h"
#include "device/device.h"

namespace tilestep::model {

/// The values of an operand that a kernel only reads. They are computed from the seed on demand, so
/// that a large matrix is never held in memory. Immutable and thread-safe.
class SeededValues {
 public:
  /// `index` is the operand's index in the kernel.
  SeededValues(const compile::ResolvedOperand& operand, uint32_t index, uint64_t seed);

  /// Reads elements [first, first + count), which must be inside the operand.
  void read(uint64_t first, uint64_t count, float* out) const;
  /// Whether both operands have the same values.
  [[nodiscard]] bool sameAs(const SeededValues& other) const;

 private:
  device::Operand operand_;
  uint32_t index_;
  uint64_t seed_;
};

}  // namespace tilestep::model
