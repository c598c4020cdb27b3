// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/dataflow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The registers whose values may still be read. A guarded write does not end the life of the
/// earlier value. The function and flow must outlive this.
class Liveness {
 public:
  using Bits = ptx::Bits;  ///< By register.
  Liveness(const Function& function, const ControlFlow& flow);

  [[nodiscard]] const Bits& atStart(uint32_t block) const { return bits_.out[block]; }
  /// The live registers before and after this instruction.
  [[nodiscard]] Bits before(uint32_t instruction) const;
  [[nodiscard]] Bits after(uint32_t instruction) const;
  /// Registers that some path through the function reads before it writes them.
  [[nodiscard]] Bits readBeforeWritten() const;

 private:
  /// Removes the instruction's writes from `live` and adds its reads.
  void stepBack(uint32_t instruction, Bits& live) const;

  const Function& function_;
  const ControlFlow& flow_;
  BlockBits bits_;  ///< Backward: `out` is at a block's start, `in` at its end.
};

}  // namespace tilestep::ptx
