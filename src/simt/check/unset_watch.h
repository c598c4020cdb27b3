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
/// unwritten, memory that was never written, and values that a shuffle takes from a lane that does
/// not take part. Compilers read such values ahead of a condition and discard them, and copy
/// structures that are partly unset, so a read alone is not a mistake. Each register that may hold
/// such a value has a companion (unset_bits.h), which instructions update along with their results.
/// A value counts as used if it decides an address, a branch, a guard of either or what lanes
/// exchange; if it is stored in global memory or passed to an atomic operation; or if it is passed
/// to a function or returned. A store in shared or local memory is a copy: a read of it yields an
/// unset value again. A shuffle's value from a lane that does not take part counts as used in
/// shared memory, too.
class UnsetWatch {
 public:
  /// Not for recursive functions: a call inside would change the companions of the one outside.
  UnsetWatch(const ptx::Function& function, const ptx::ControlFlow& flow);

  /// Emits the effect on companions of the instruction at `index`, and the check before a use.
  void follow(Emitter& emitter, uint32_t index);
  /// The same of what lanes do together, among the micro-operations that they run together.
  void followTogether(Emitter& emitter, uint32_t index);
  /// The companions of the registers that the load or store at `index` fills or takes, as
  /// CheckSite::companions.
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
  bool begins_ = false;                ///< Something can be done before all else.
  std::vector<uint32_t> roots_;        ///< Read before they are written.
  std::map<uint32_t, uint32_t> rows_;  ///< Companions, by register.
  std::set<std::string> scalars_;      ///< Parameters of calls and results that hold one value.
};

}  // namespace tilestep::simt
