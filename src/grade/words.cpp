// SPDX-License-Identifier: Apache-2.0
#include "grade/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sentence.h"
#include "trace/named_counts.h"

namespace tilestep::grade {
namespace {

std::optional<uint64_t> sumOf(const std::vector<trace::Counters>& launches,
                              const std::string& name) {
  uint64_t sum = 0;
  for (const trace::Counters& counters : launches) {
    const std::vector<trace::NamedCount> counts = trace::namedCounts(counters);
    const auto at = std::ranges::find(counts, name, &trace::NamedCount::name);
    if (at == counts.end()) return std::nullopt;
    sum += at->value;
  }
  return sum;
}

}  // namespace

std::string lineText(const Error& error) {
  const std::string where =
      error.where && error.where->line > 0 ? fmt::format("line {}: ", error.where->line) : "";
  return asSentence(where + error.message);
}

std::string criterionFailed(lab::Criterion criterion, const lab::Judgement& judgement) {
  if (criterion == lab::Criterion::compiles) return asSentence(judgement.refusal());
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

std::optional<CountResult> countOf(const CountRule& rule,
                                   const std::vector<trace::Counters>& submission,
                                   const std::vector<trace::Counters>& solution) {
  if (submission.empty() || submission.size() != solution.size()) return std::nullopt;
  const std::optional<uint64_t> theirs = sumOf(submission, rule.counter);
  const std::optional<uint64_t> ours = sumOf(solution, rule.counter);
  if (!theirs || !ours) return std::nullopt;
  return CountResult{rule.counter, *theirs, *ours, rule.atMost};
}

std::string tooMany(const CountResult& count) {
  if (count.solution == 0)
    return fmt::format("{} is {}, and the solution has none.", count.counter, count.submission);
  return fmt::format(
      "{} is {:.2f} times the solution's, and {:g} times is the most.", count.counter,
      static_cast<double>(count.submission) / static_cast<double>(count.solution), count.atMost);
}

}  // namespace tilestep::grade
