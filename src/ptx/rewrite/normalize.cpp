// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/normalize.h"

#include <algorithm>
#include <utility>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

bool mayBeFused(const Instruction& instruction) {
  const bool isArithmetic = instruction.opcode == Opcode::add ||
                            instruction.opcode == Opcode::sub || instruction.opcode == Opcode::mul;
  const bool isFloating = instruction.type == Type::f32 || instruction.type == Type::f64 ||
                          instruction.type == Type::f16 || instruction.type == Type::f16x2;
  return isArithmetic && isFloating && instruction.rounding == Rounding::none;
}

enum class Turn : uint8_t { none, swap, drop };

/// How to rewrite a conditional branch at `index` and the unconditional branch after it.
Turn turnAt(const Function& function, uint32_t index) {
  if (index + 2 > function.body.size() - 1) return Turn::none;
  const Instruction &first = function.body[index], &second = function.body[index + 1];
  const bool areBranches = isBranch(first) && isBranch(second);
  if (!areBranches || !isGuarded(first) || isGuarded(second)) return Turn::none;
  const bool isReached = std::any_of(function.labels.begin(), function.labels.end(),
                                     [&](const Label& label) { return label.at == index + 1; });
  if (isReached) return Turn::none;
  const uint32_t a = first.operands.back().target, b = second.operands.back().target;
  if (a == index + 2) return Turn::drop;
  return b <= index && (a > index || a < b) ? Turn::swap : Turn::none;
}

void turnBranches(Function& function) {
  std::vector<Instruction> body;
  std::vector<uint32_t> places;  // The new index of each original instruction.
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    places.push_back(static_cast<uint32_t>(body.size()));
    body.push_back(function.body[i]);
    const Turn turn = turnAt(function, i);
    if (turn == Turn::none) continue;
    Instruction second = function.body[++i];
    body.back().guard.negated = !body.back().guard.negated;
    std::swap(body.back().operands, second.operands);
    places.push_back(static_cast<uint32_t>(body.size()));
    if (turn == Turn::swap) body.push_back(std::move(second));
  }
  places.push_back(static_cast<uint32_t>(body.size()));
  function.body = std::move(body);
  moveTargets(function, places);
}

/// Whether it is an unguarded scalar load of a variable.
bool loadsVariable(const Instruction& i) {
  const Operand* const address = addressOf(i);
  return i.opcode == Opcode::ld && !isGuarded(i) && i.vectorWidth == 1 && address != nullptr &&
         address->reg == kNone;
}

void guardSelections(Function& function) {
  const ControlFlow flow = analyseControlFlow(function);
  const RegisterGraph graph(function);
  for (uint32_t at = 0; at < function.body.size(); ++at) {
    const std::vector<Operand>& operands = function.body[at].operands;
    if (function.body[at].opcode != Opcode::selp || operands.size() != 4) continue;
    const uint32_t predicate = operands[3].reg;
    if (predicate == kNone || graph.writers[predicate].size() != 1) continue;
    const uint32_t decided = graph.writers[predicate].front();
    /// The load of `value`, if only this selp uses the value and the load follows the predicate's
    /// definition; otherwise null.
    const auto loadOf = [&](uint32_t value) -> Instruction* {
      if (value == kNone || graph.writers[value].size() != 1 || graph.readers[value].size() != 1)
        return nullptr;
      const uint32_t load = graph.writers[value].front();
      const bool isHere = flow.blockOf[load] == flow.blockOf[at] && load < at;
      const bool isDecided = decided < load || flow.blockOf[decided] != flow.blockOf[at];
      Instruction& found = function.body[load];
      return isHere && isDecided && loadsVariable(found) ? &found : nullptr;
    };
    Instruction *const first = loadOf(operands[1].reg), *const second = loadOf(operands[2].reg);
    if (first == nullptr || second == nullptr) continue;
    first->guard = {predicate, false};
    second->guard = {predicate, true};
  }
}

}  // namespace

Module withTurnedBranches(Module module) {
  for (Function& function : module.functions) turnBranches(function);
  return module;
}

Module withGuardedSelections(Module module) {
  for (Function& function : module.functions) guardSelections(function);
  return module;
}

Module withExplicitRounding(Module module) {
  for (Function& function : module.functions) {
    for (Instruction& instruction : function.body) {
      if (!mayBeFused(instruction)) continue;
      instruction.suffixes.insert(instruction.suffixes.begin(), "rn");
      instruction.rounding = Rounding::rn;
    }
  }
  return module;
}

}  // namespace tilestep::ptx
