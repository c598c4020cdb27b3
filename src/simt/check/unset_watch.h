// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "simt/decode/emitter.h"

namespace tilestep::simt {

/// Finds local variables that are used before they have a value: compilers leave the register of
/// such a variable unwritten. Beside each register that some way through the entry reads before it
/// writes it, and beside those that arithmetic makes from them, a companion row holds all ones for
/// the lanes in which it has no value. Stores, atomic operations and addresses look at it. Bit
/// operations and selections make a value of anything: compilers build values from parts with them.
class UnsetWatch {
 public:
  UnsetWatch(const ptx::Function& entry, const ptx::ControlFlow& flow);

  /// Emits what the instruction at `index` does to companions, and the look before an access.
  void follow(Emitter& emitter, uint32_t index);

 private:
  void findReached(std::vector<uint32_t> open);
  void begin(Emitter& emitter);
  void write(Emitter& emitter, const ptx::Instruction& instruction, uint32_t reg);
  void look(Emitter& emitter, const ptx::Operand& operand) const;

  const ptx::Function& entry_;
  std::vector<uint32_t> roots_;        ///< Read before they are written.
  std::map<uint32_t, uint32_t> rows_;  ///< Companions, by register.
};

}  // namespace tilestep::simt
