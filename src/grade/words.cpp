// SPDX-License-Identifier: Apache-2.0
#include "grade/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/sentence.h"
#include "lab/judge/fault_kinds.h"
#include "trace/named_counts.h"

namespace tilestep::grade {
namespace {

std::optional<uint64_t> countIn(const LaunchCounts& launch, const std::string& name) {
  const std::vector<trace::NamedCount> counts = trace::namedCounts(launch.counters);
  const auto at = std::ranges::find(counts, name, &trace::NamedCount::name);
  return at == counts.end() ? std::nullopt : std::optional(at->value);
}

}  // namespace

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

bool isUncertain(const LaunchCounts& launch, const std::string& counter) {
  return std::ranges::find(launch.uncertain, counter) != launch.uncertain.end();
}

std::optional<CountResult> countOf(const CountRule& rule,
                                   const std::vector<LaunchCounts>& submission,
                                   const std::vector<LaunchCounts>& solution) {
  if (submission.size() != solution.size()) return std::nullopt;
  CountResult sum{rule.counter, 0, 0, rule.atMost};
  bool any = false;
  for (size_t i = 0; i < solution.size(); ++i) {
    if (isUncertain(solution[i], rule.counter)) continue;
    const std::optional<uint64_t> theirs = countIn(submission[i], rule.counter);
    const std::optional<uint64_t> ours = countIn(solution[i], rule.counter);
    if (!theirs || !ours) return std::nullopt;
    sum.submission += *theirs;
    sum.solution += *ours;
    any = true;
  }
  return any ? std::optional(sum) : std::nullopt;
}

std::string faultName(const std::string& kind) {
  const lab::FaultKind* known = lab::faultKind(kind);
  return known == nullptr ? kind : known->words;
}

std::string tooMany(const CountResult& count) {
  if (count.solution == 0)
    return fmt::format("{} is {}, and the solution has none.", count.counter, count.submission);
  return fmt::format(
      "{} is {:.6g} times the solution's, and {:g} times is the most.", count.counter,
      static_cast<double>(count.submission) / static_cast<double>(count.solution), count.atMost);
}

}  // namespace tilestep::grade
