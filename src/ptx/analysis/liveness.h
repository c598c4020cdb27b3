// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/dataflow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The live registers: those whose values may still be read. After a guarded write, the earlier
/// value may still be read. The function and flow must outlive this object.
class Liveness {
 public:
  using Bits = ptx::Bits;  ///< By register.
  Liveness(const Function& function, const ControlFlow& flow);

  [[nodiscard]] const Bits& atStart(uint32_t block) const { return bits_.out[block]; }
  /// The registers that are live before or after the instruction.
  [[nodiscard]] Bits before(uint32_t instruction) const;
  [[nodiscard]] Bits after(uint32_t instruction) const;
  /// The registers that some path through the function reads before writing them.
  [[nodiscard]] Bits readBeforeWritten() const;

 private:
  /// Removes the instruction's writes from `live` and adds its reads.
  void stepBack(uint32_t instruction, Bits& live) const;

  const Function& function_;
  const ControlFlow& flow_;
  BlockBits bits_;  ///< Of a backward analysis: `out` is at a block's start.
};

}  // namespace tilestep::ptx
