// SPDX-License-Identifier: Apache-2.0
#include "runner/batches.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilestep::runner {
namespace {

/// Whether the pattern matches at the start of the text.
bool beginsWith(std::string_view text, std::string_view pattern) {
  while (!pattern.empty() && pattern.front() != '*') {
    if (text.empty() || text.front() != pattern.front()) return false;
    text.remove_prefix(1);
    pattern.remove_prefix(1);
  }
  if (pattern.empty()) return true;
  pattern.remove_prefix(1);
  for (size_t at = 0; at <= text.size(); ++at)
    if (beginsWith(text.substr(at), pattern)) return true;
  return false;
}

void addShared(const Program& program, size_t index, size_t shards, std::vector<Batch>& batches) {
  std::map<std::string, std::vector<std::string>> bySuite;
  for (const TestCase& test : program.tests)
    if (!test.ownProcess) bySuite[test.suite].push_back(test.fullName());
  std::vector<std::vector<std::string>> suites;
  for (auto& [suite, tests] : bySuite) suites.push_back(std::move(tests));
  std::ranges::stable_sort(suites, std::greater{}, [](const auto& tests) { return tests.size(); });

  std::vector<Batch> shared(std::min(shards, suites.size()), Batch{index, {}});
  for (const std::vector<std::string>& tests : suites) {
    Batch& smallest = *std::ranges::min_element(
        shared, {}, [](const Batch& batch) { return batch.tests.size(); });
    smallest.tests.insert(smallest.tests.end(), tests.begin(), tests.end());
  }
  batches.insert(batches.end(), shared.begin(), shared.end());
}

}  // namespace

std::vector<TestCase> testsIn(std::string_view listing) {
  std::vector<TestCase> tests;
  while (!listing.empty()) {
    const size_t end = std::min(listing.find('\n'), listing.size());
    std::string_view line = listing.substr(0, end);
    listing.remove_prefix(std::min(end + 1, listing.size()));
    const size_t tab = std::min(line.find('\t'), line.size());
    const bool own = line.substr(tab) == "\town";
    line = line.substr(0, tab);
    // A parameter's name may hold no dot, and neither may a suite's.
    const size_t dot = line.find('.');
    if (dot == std::string_view::npos) continue;
    tests.push_back({std::string(line.substr(0, dot)), std::string(line.substr(dot + 1)), own});
  }
  return tests;
}

bool matches(const std::string& title, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
           return beginsWith(title, '*' + pattern);
         });
}

std::vector<Batch> batchesOf(const std::vector<Program>& programs, size_t shards) {
  std::vector<Batch> batches;
  for (size_t i = 0; i < programs.size(); ++i) {
    for (const TestCase& test : programs[i].tests)
      if (test.ownProcess) batches.push_back({i, {test.fullName()}});
    addShared(programs[i], i, shards, batches);
  }
  return batches;
}

}  // namespace tilestep::runner
