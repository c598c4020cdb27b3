// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "fuzz/checks.h"
#include "ptx/analysis/accumulators.h"
#include "ptx/analysis/behaviour.h"
#include "ptx/analysis/branches.h"
#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/copies.h"
#include "ptx/analysis/counted.h"
#include "ptx/analysis/feeds.h"
#include "ptx/analysis/loop_nest.h"
#include "ptx/analysis/uses.h"
#include "ptx/lanes/uncertain.h"
#include "ptx/rewrite/own_returns.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"

namespace tilestep::fuzz {
namespace {

ptx::Module withoutPtxLines(ptx::Module module) {
  for (ptx::Function& function : module.functions) {
    for (ptx::Instruction& each : function.body) each.ptxLine = 0;
  }
  return module;
}

/// Whether a module variable is declared after a function that has a local variable of that name.
/// When printed, the module variable comes first, and the local one is renamed. The program is the
/// same, but its names are not.
bool hidesNames(const ptx::Module& module) {
  std::set<std::string> names;
  for (const ptx::Variable& variable : module.variables) names.insert(variable.name);
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Variable& each : function.variables) {
      if (names.contains(each.name)) return true;
    }
    for (const ptx::Register& each : function.registers) {
      if (names.contains(each.name)) return true;
    }
    for (const ptx::Label& each : function.labels) {
      if (names.contains(each.name)) return true;
    }
    for (const ptx::Parameter& each : function.parameters) {
      if (names.contains(each.name)) return true;
    }
  }
  return false;
}

/// Whether a function's first .loc is inlined, which no compiler writes. When printed, the line of
/// the call comes first, and the function's own source seems to begin there.
bool beginsInlined(const ptx::Module& module) {
  return std::ranges::any_of(module.functions, [](const ptx::Function& function) {
    const auto first = std::ranges::find_if(
        function.body, [](const ptx::Instruction& each) { return each.source.line > 0; });
    return first != function.body.end() && !(first->source == first->outerLine);
  });
}

bool writes(const ptx::Instruction& instruction, uint32_t reg) {
  return std::ranges::count(ptx::writtenRegisters(instruction), reg) > 0;
}

std::string checkBehaviour(const ptx::Function& function) {
  const ptx::Behaviour behaviour = ptx::behaviourOf(function);
  for (size_t i = 0; i < function.body.size(); ++i) {
    if (behaviour.open.at(i) && !ptx::isGuarded(function.body[i])) return "open without a guard";
    if (behaviour.openSpace.at(i) && ptx::addressOf(function.body[i]) == nullptr)
      return "an open space without an address";
  }
  for (const ptx::Behaviour::Root& root : behaviour.roots) {
    if (!writes(function.body.at(root.instruction), root.reg)) return "a root that nothing writes";
    for (const ptx::Behaviour::Root& other : behaviour.roots) {
      if (other.group != root.group || &other == &root) continue;
      if (root.exact || other.exact) return "an exact root in a group";
      if (root.alignment != other.alignment) return "two alignments in one group";
    }
  }
  for (const ptx::Behaviour::Told& told : behaviour.told) {
    if (!writes(function.body.at(told.instruction), told.reg)) return "nothing to tell";
  }
  return {};
}

std::string checkLanes(const ptx::Function& function, const ptx::ControlFlow& flow) {
  for (const ptx::Loop& loop : ptx::loopsOf(flow)) {
    if (loop.blocks.empty() || !std::ranges::is_sorted(loop.blocks)) return "a loop in no order";
    if (loop.header != ptx::kNone && !std::ranges::binary_search(loop.blocks, loop.header))
      return "a header outside of its loop";
  }
  uint32_t before = 0;
  for (const ptx::UncertainAccess& access : ptx::uncertainAccesses(function)) {
    if (access.instruction < before) return "uncertain accesses in no order";
    before = access.instruction;
    const ptx::Instruction& instruction = function.body.at(access.instruction);
    const bool accesses = ptx::accessOf(instruction) || ptx::isCopy(instruction) ||
                          instruction.opcode == ptx::Opcode::call;
    if (!accesses) return "no access is uncertain";
    if (access.at >= function.body.size()) return "a reason beyond the end";
  }
  return {};
}

std::string checkAnalyses(const ptx::Function& function) {
  const ptx::ControlFlow flow = ptx::analyseControlFlow(function);
  for (const uint32_t at : flow.reconvergence) {
    if (at != ptx::kNone && at > function.body.size()) return "reconvergence beyond the end";
  }
  const ptx::Accumulators found = ptx::findAccumulators(function);
  for (const uint32_t accumulator : found.updatedBy) {
    if (accumulator != ptx::kNone && accumulator >= found.count) return "no such accumulator";
  }
  for (const auto& [consumer, load] : ptx::feeds(function)) {
    if (!ptx::readsMemory(function.body[load])) return "a value from what is no load";
  }
  if (ptx::leavesOthersWaiting(function).size() != function.body.size()) return "not every branch";
  const std::string trouble = checkBehaviour(function);
  return trouble.empty() ? checkLanes(function, flow) : trouble;
}

}  // namespace

std::string checkPtx(std::string_view text) {
  const Result<ptx::Module> module = ptx::parse(text, "fuzz");
  if (!module) {
    const bool isPlaced = module.error().where && module.error().where->line > 0;
    return isPlaced && !module.error().message.empty() ? "" : "an error without its place";
  }
  for (const ptx::Function& function : module->functions) {
    const std::string trouble = checkAnalyses(function);
    if (!trouble.empty()) return trouble;
  }
  const std::string printed = print(*module);
  const Result<ptx::Module> again = ptx::parse(printed, "printed");
  if (!again) return "the printed text is refused: " + toString(again.error());
  const bool isSame = withoutPtxLines(*again) == withoutPtxLines(*module);
  return isSame || hidesNames(*module) || beginsInlined(*module)
             ? ""
             : "the printed text is another module:\n" + printed;
}

}  // namespace tilestep::fuzz
