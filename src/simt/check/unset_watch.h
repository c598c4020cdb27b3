// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "simt/decode/emitter.h"

namespace tilestep::simt {

/// Finds local variables that are used before they have a value: compilers leave the register of
/// such a variable unwritten. Each register that some path through the function reads before
/// writing it, and each one computed from such registers, has a companion row that is not zero for
/// the lanes in which it has no value. Stores, atomic operations, addresses, branches, the
/// guards of all these, and scalars that are passed to functions and back are checked against it. A
/// shuffle hands the companion on beside the value; what it takes from a lane that takes no part in
/// it is no value either. A selection takes that of what it selects. Bit operations count as giving
/// a value, because compilers use them to build values from parts.
class UnsetWatch {
 public:
  /// Not for recursive functions: a call inside would change the companions of the one outside.
  UnsetWatch(const ptx::Function& function, const ptx::ControlFlow& flow);

  /// Emits the effect on companions of the instruction at `index`, and the check before an access.
  void follow(Emitter& emitter, uint32_t index);
  /// The same of what lanes do together, among the micro-operations that they run together.
  void followTogether(Emitter& emitter, uint32_t index);

 private:
  void findReached();
  void begin(Emitter& emitter);
  void write(Emitter& emitter, const ptx::Instruction& instruction, uint32_t reg);
  void select(Emitter& emitter, const ptx::Instruction& instruction);
  void shuffle(Emitter& emitter, const ptx::Instruction& instruction);
  void look(Emitter& emitter, const ptx::Operand& operand) const;
  void lookAt(Emitter& emitter, uint32_t reg) const;
  [[nodiscard]] uint32_t companionOf(Emitter& emitter, const ptx::Operand& operand) const;
  [[nodiscard]] bool passesScalar(const ptx::Instruction& instruction) const;

  const ptx::Function& function_;
  std::vector<uint32_t> roots_;        ///< Read before they are written.
  std::vector<uint32_t> shuffled_;     ///< Results of shuffles.
  std::map<uint32_t, uint32_t> rows_;  ///< Companions, by register.
  std::set<std::string> scalars_;      ///< Parameters of calls and results that hold one value.
};

}  // namespace tilestep::simt
