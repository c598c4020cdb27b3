// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The values of an entry that are known in the sense of behaviour.h: they follow from the launch's
/// parameters, the path taken so far, and recorded predicates. One fact per register, for all of
/// its reads. The constructor's arguments must outlive it.
class KnownValues {
 public:
  /// `ofOnePlace`: the thread's index in its block counts as known.
  KnownValues(const Function& entry, const ControlFlow& flow, const RegisterGraph& graph,
              bool ofOnePlace);

  [[nodiscard]] bool isKnown(uint32_t reg) const { return known_[reg]; }
  [[nodiscard]] bool isKnown(const Operand& operand) const;
  /// Whether the instruction writes values that follow from known ones.
  [[nodiscard]] bool makesKnown(uint32_t instruction) const;
  /// Whether it is a number that is also the same in all lanes at all times: one instruction
  /// outside of all loops computes it from such numbers.
  [[nodiscard]] bool isConstant(const Operand& operand) const;
  /// Whether it is a predicate that is computed only outside of loops and decides something in one.
  /// It is recorded where it is computed, and therefore counts as known.
  [[nodiscard]] bool isTold(uint32_t reg) const { return told_[reg]; }

 private:
  void findTold();
  void findKnown();
  void findConstants();
  [[nodiscard]] bool loadsForLaunch(const Instruction& instruction) const;
  [[nodiscard]] bool isSame(const Operand& operand) const;

  const Function& entry_;
  const ControlFlow& flow_;
  const RegisterGraph& graph_;
  const bool ofOnePlace_;
  std::vector<bool> told_, known_, constant_;  ///< By register.
};

}  // namespace tilestep::ptx
