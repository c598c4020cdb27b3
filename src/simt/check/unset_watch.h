// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "simt/decode/emitter.h"

namespace tilestep::simt {

/// Finds uses of values that were never set: local variables whose register the compiler leaves
/// unwritten, memory that was never written, and values that a shuffle reads from a lane that does
/// not take part. A read alone is not a mistake, because compilers read such values ahead of a
/// condition and discard them, and copy structures that are partly unset. Each register that may
/// hold such a value has a companion (unset_bits.h), which instructions update along with their
/// results. A value counts as used if it decides an address, a branch, the guard of an access or a
/// branch, or which values lanes exchange; if it is stored in global memory or passed to an atomic
/// operation; or if it is passed to a function or returned. A store in shared or local memory is
/// only a copy, and reading it yields an unset value again. But storing a shuffle's value from a
/// lane that does not take part in shared memory counts as a use.
class UnsetWatch {
 public:
  /// Not for recursive functions, in which an inner call would change the outer call's companions.
  UnsetWatch(const ptx::Function& function, const ptx::ControlFlow& flow);

  /// Emits the update of companions for the instruction at `index`, and the check before a use.
  void follow(Emitter& emitter, uint32_t index);
  /// Like follow(), for the micro-operations that lanes run together (DecodedBlock::shared).
  void followTogether(Emitter& emitter, uint32_t index);
  /// CheckSite::companions of the load or store at `index`.
  [[nodiscard]] std::array<uint32_t, 4> companionsOf(uint32_t index) const;

 private:
  void findRoots(const ptx::ControlFlow& flow);
  void findReached();
  void begin(Emitter& emitter);
  void write(Emitter& emitter, const ptx::Instruction& instruction);
  void takeApart(Emitter& emitter, const ptx::Instruction& instruction);
  void putTogether(Emitter& emitter, const ptx::Instruction& instruction);
  void spread(Emitter& emitter, uint32_t from, uint32_t to);
  void spreadGuard(Emitter& emitter, uint32_t index);
  void emitRule(Emitter& emitter, UnsetRule rule, uint32_t to, Instr instr);
  void select(Emitter& emitter, const ptx::Instruction& instruction);
  void shuffle(Emitter& emitter, const ptx::Instruction& instruction);
  void useSources(Emitter& emitter, const ptx::Instruction& instruction);
  void use(Emitter& emitter, const ptx::Operand& operand, ptx::Type type, bool inPart) const;
  void useGuard(Emitter& emitter, uint32_t index);
  [[nodiscard]] uint32_t companionOf(const ptx::Operand& operand) const;
  [[nodiscard]] bool passesScalar(const ptx::Instruction& instruction) const;

  const ptx::Function& function_;
  bool begins_ = false;                ///< Companions can be initialised at the first instruction.
  std::vector<uint32_t> roots_;        ///< Registers that may be read before they are written.
  std::map<uint32_t, uint32_t> rows_;  ///< Companions, by register.
  std::set<std::string> scalars_;  ///< Parameters of calls, and results, that are not structures.
};

}  // namespace tilestep::simt
