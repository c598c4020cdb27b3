// SPDX-License-Identifier: Apache-2.0
#include "runner/outcome.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>

namespace tilestep::runner {
namespace {

constexpr const char* kNoReason = "no reason given";

/// The number with a comma before each group of three digits: 4,012.
std::string grouped(size_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string reasonsOf(const std::vector<Outcome>& outcomes) {
  std::map<std::string, size_t> counts;
  for (const Outcome& outcome : outcomes)
    if (outcome.status == Status::skipped)
      ++counts[outcome.reason.empty() ? kNoReason : outcome.reason];
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater{}, &std::pair<std::string, size_t>::second);
  std::string text;
  for (const auto& [reason, count] : sorted)
    text += (text.empty() ? "" : ", ") + grouped(count) + ' ' + reason;
  return text;
}

}  // namespace

std::string summaryOf(const std::vector<Outcome>& outcomes, size_t planned) {
  std::array<size_t, 3> counts{};
  for (const Outcome& outcome : outcomes) ++counts[static_cast<size_t>(outcome.status)];
  const auto countOf = [&](Status status) { return grouped(counts[static_cast<size_t>(status)]); };
  const std::string reasons = reasonsOf(outcomes);
  const std::string ended = outcomes.size() == planned ? "" : grouped(outcomes.size()) + " of ";
  return ended + grouped(planned) + (planned == 1 ? " test: " : " tests: ") +
         countOf(Status::passed) + " passed, " + countOf(Status::skipped) + " skipped" +
         (reasons.empty() ? "" : " (" + reasons + ")") + ", " + countOf(Status::failed) + " failed";
}

bool isGood(const Outcome& outcome) {
  return outcome.status == Status::passed ||
         (outcome.status == Status::skipped && !outcome.reason.empty());
}

std::string tableOf(const std::vector<Outcome>& outcomes) {
  static constexpr std::array<const char*, 3> kNames{"passed", "skipped", "failed"};
  std::string table = "outcome\tseconds\ttest\treason\tdetail\n";
  for (const Outcome& outcome : outcomes) {
    std::array<char, 32> seconds{};
    std::snprintf(seconds.data(), seconds.size(), "%.3f", outcome.seconds);
    table += std::string(kNames[static_cast<size_t>(outcome.status)]) + '\t' + seconds.data() +
             '\t' + outcome.title + '\t' + outcome.reason + '\t' + outcome.detail + '\n';
  }
  return table;
}

}  // namespace tilestep::runner
