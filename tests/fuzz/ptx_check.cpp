// SPDX-License-Identifier: Apache-2.0
#include "fuzz/ptx_check.h"

#include <set>

#include "ptx/analysis/accumulators.h"
#include "ptx/analysis/control_flow.h"
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

/// A module variable declared after a function that has a local one of that name: printed, it
/// comes first, and the local one is renamed. The same program, but not the same names.
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

std::string checkAnalyses(const ptx::Function& function) {
  const ptx::ControlFlow flow = ptx::analyseControlFlow(function);
  for (const uint32_t at : flow.reconvergence) {
    if (at != ptx::kNone && at > function.body.size()) return "reconvergence beyond the end";
  }
  const ptx::Accumulators found = ptx::findAccumulators(function);
  for (const uint32_t accumulator : found.updatedBy) {
    if (accumulator != ptx::kNone && accumulator >= found.count) return "no such accumulator";
  }
  return {};
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
  return isSame || hidesNames(*module) ? "" : "the printed text is another module:\n" + printed;
}

}  // namespace tilestep::fuzz
