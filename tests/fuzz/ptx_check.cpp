// SPDX-License-Identifier: Apache-2.0
#include "fuzz/ptx_check.h"

#include "ptx/accumulators.h"
#include "ptx/control_flow.h"
#include "ptx/parser.h"
#include "ptx/printer.h"

namespace tilestep::fuzz {
namespace {

ptx::Module withoutPtxLines(ptx::Module module) {
  for (ptx::Function& function : module.functions) {
    for (ptx::Instruction& each : function.body) each.ptxLine = 0;
  }
  return module;
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
  return isSame ? "" : "the printed text is another module:\n" + printed;
}

}  // namespace tilestep::fuzz
