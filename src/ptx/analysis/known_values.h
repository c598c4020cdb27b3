// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The known values of an entry, as behaviour.h defines them. Each register is either known at all
/// its reads or unknown. The constructor's arguments must outlive this object.
class KnownValues {
 public:
  /// With `ofOnePlace`, the thread index counts as known.
  KnownValues(const Function& entry, const ControlFlow& flow, const RegisterGraph& graph,
              bool ofOnePlace);

  [[nodiscard]] bool isKnown(uint32_t reg) const { return known_[reg]; }
  [[nodiscard]] bool isKnown(const Operand& operand) const;
  /// Whether the instruction's results follow from known values.
  [[nodiscard]] bool makesKnown(uint32_t instruction) const;
  /// Whether the operand is the same number in all lanes at all times: an immediate, or a register
  /// that one instruction outside of loops computes from constants.
  [[nodiscard]] bool isConstant(const Operand& operand) const;
  /// Whether the register is a predicate that is computed only outside of loops and affects a guard
  /// in a loop. Such predicates are recorded where they are computed, and so count as known.
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
  std::vector<bool> told_, known_, constant_;  ///< For each register.
};

}  // namespace tilestep::ptx
