// SPDX-License-Identifier: Apache-2.0
#include "grade/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "trace/counters.h"

namespace tilestep::grade {
namespace {

std::optional<uint64_t> countIn(const LaunchCounts& launch, const std::string& name) {
  const std::vector<trace::NamedCount> counts = trace::namedCounts(launch.counters);
  const auto at = std::ranges::find(counts, name, &trace::NamedCount::name);
  return at == counts.end() ? std::nullopt : std::optional(at->value);
}

void add(CountResult& sum, uint64_t submission, uint64_t solution) {
  sum.submission += submission;
  sum.solution += solution;
}

/// Whether `a` exceeds the solution's count by a larger factor than `b` does.
bool isWorse(const CountResult& a, const CountResult& b) {
  return static_cast<double>(a.submission) * static_cast<double>(b.solution) >
         static_cast<double>(b.submission) * static_cast<double>(a.solution);
}

}  // namespace

bool isUncertain(const LaunchCounts& launch, const std::string& counter) {
  return std::ranges::find(launch.uncertain, counter) != launch.uncertain.end();
}

bool isUndecided(const CountRule& rule, const std::vector<LaunchCounts>& submission,
                 const std::vector<LaunchCounts>& solution) {
  bool decides = false;
  for (size_t i = 0; i < std::min(submission.size(), solution.size()); ++i) {
    if (isUncertain(solution[i], rule.counter)) continue;
    if (isUncertain(submission[i], rule.counter)) return true;
    decides = true;
  }
  return !decides && !solution.empty();
}

std::optional<CountResult> countOf(const CountRule& rule,
                                   const std::vector<LaunchCounts>& submission,
                                   const std::vector<LaunchCounts>& solution,
                                   const std::vector<HiddenLaunch>& launches) {
  if (submission.size() != solution.size() || solution.size() != launches.size())
    return std::nullopt;
  CountResult all{rule.counter, 0, 0, rule.atMost, false};
  CountResult defaults{rule.counter, 0, 0, rule.atMost, true};
  bool any = false;
  for (size_t i = 0; i < solution.size(); ++i) {
    if (isUncertain(solution[i], rule.counter)) continue;
    const std::optional<uint64_t> theirs = countIn(submission[i], rule.counter);
    const std::optional<uint64_t> ours = countIn(solution[i], rule.counter);
    if (!theirs || !ours) return std::nullopt;
    add(all, *theirs, *ours);
    if (launches[i].atDefaults) add(defaults, *theirs, *ours);
    any = true;
  }
  if (!any) return std::nullopt;
  return isWorse(defaults, all) ? defaults : all;
}

bool fits(const CountResult& count) {
  // A limit such as 1.15 is not exact in binary, so a count equal to the limit needs this
  // tolerance.
  constexpr double kRounding = 1 + 1e-9;
  return static_cast<double>(count.submission) <=
         count.atMost * static_cast<double>(count.solution) * kRounding;
}

std::string tooMany(const CountResult& count) {
  const char* where = count.atDefaults ? " at the default tunables" : "";
  if (count.solution == 0)
    return fmt::format("{} is {}{}, and the solution has none.", count.counter, count.submission,
                       where);
  return fmt::format("{} is {:.6g} times the solution's{}, but only {:g} times is allowed.",
                     count.counter,
                     static_cast<double>(count.submission) / static_cast<double>(count.solution),
                     where, count.atMost);
}

}  // namespace tilestep::grade
