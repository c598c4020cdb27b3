// SPDX-License-Identifier: Apache-2.0
#include "grade/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/sentence.h"
#include "lab/judge/fault_kinds.h"

namespace tilestep::grade {
std::string lineText(const Error& error) {
  const std::string where =
      error.where && error.where->line > 0 ? fmt::format("line {}: ", error.where->line) : "";
  return asSentence(where + error.message);
}

std::string criterionFailed(lab::Criterion criterion, const lab::Judgement& judgement) {
  const bool always = judgement.launchesThatFailed(criterion) == judgement.launches();
  if (criterion == lab::Criterion::compiles && always) return asSentence(judgement.refusal());
  const int line = judgement.lineOf(criterion);
  const std::string where = line > 0 ? fmt::format(", first at line {}", line) : "";
  return fmt::format("This failed at {} of {} launches{}.", judgement.launchesThatFailed(criterion),
                     judgement.launches(), where);
}

std::string elementName(const compile::Plan& plan, uint32_t operand, uint64_t element) {
  if (operand >= plan.operands.size()) return {};
  const compile::ResolvedOperand& of = plan.operands[operand];
  if (of.columns == 0) return fmt::format("{}[{}]", of.spec.name, element);
  return fmt::format("{}[{}][{}]", of.spec.name, element / of.columns, element % of.columns);
}

std::string faultName(const std::string& kind) {
  const lab::FaultKind* known = lab::faultKind(kind);
  return known == nullptr ? kind : known->words;
}

}  // namespace tilestep::grade
