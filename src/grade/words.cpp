// SPDX-License-Identifier: Apache-2.0
#include "grade/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/sentence.h"
#include "trace/named_counts.h"

namespace tilestep::grade {
namespace {

std::optional<uint64_t> countIn(const LaunchCounts& launch, const std::string& name) {
  const std::vector<trace::NamedCount> counts = trace::namedCounts(launch.counters);
  const auto at = std::ranges::find(counts, name, &trace::NamedCount::name);
  return at == counts.end() ? std::nullopt : std::optional(at->value);
}

constexpr std::array<std::pair<std::string_view, const char*>, 15> kFaults{{
    {"launch-refused", "a launch that no GPU runs"},
    {"out-of-bounds", "an access outside its array"},
    {"outside-row", "an access outside its row"},
    {"misaligned", "a misaligned access"},
    {"stack-overflow", "a stack overflow"},
    {"read-only", "a write to an input"},
    {"uninitialised-read", "a read of memory that nothing has written"},
    {"deadlock", "a wait for threads that never come"},
    {"wrong-mask", "a warp function with a wrong mask"},
    {"wrong-barrier", "a barrier for a wrong number of threads"},
    {"divergent-barrier", "threads of one warp at different barriers"},
    {"assert", "an assertion that does not hold"},
    {"trap", "a trap"},
    {"timeout", "a launch that does not end"},
    {"instruction-limit", "a launch that does not end"},
}};

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
  for (const auto& [name, words] : kFaults)
    if (name == kind) return words;
  return kind;
}

std::string tooMany(const CountResult& count) {
  if (count.solution == 0)
    return fmt::format("{} is {}, and the solution has none.", count.counter, count.submission);
  return fmt::format(
      "{} is {:.6g} times the solution's, and {:g} times is the most.", count.counter,
      static_cast<double>(count.submission) / static_cast<double>(count.solution), count.atMost);
}

}  // namespace tilestep::grade
