// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "compile/kernel.h"
#include "device/device.h"

namespace tilestep::model {

/// The values of an operand that a kernel only reads, computed from the seed on demand, so a large
/// matrix is never held in memory. Immutable; for any thread.
class SeededValues {
 public:
  /// `index`: the operand's index in the kernel.
  SeededValues(const compile::ResolvedOperand& operand, uint32_t index, uint64_t seed);

  /// Reads elements [first, first + count), which must lie within the operand.
  void read(uint64_t first, uint64_t count, float* out) const;
  /// Whether both have the same values.
  [[nodiscard]] bool sameAs(const SeededValues& other) const;

 private:
  device::Operand operand_;
  uint32_t index_;
  uint64_t seed_;
};

}  // namespace tilestep::model
