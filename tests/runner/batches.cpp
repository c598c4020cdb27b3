// SPDX-License-Identifier: Apache-2.0
#include "runner/batches.h"

#include <algorithm>
#include <map>

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

using Suites = std::map<std::string, std::vector<std::string>>;

/// The tests that run alone, by suite.
Suites aloneIn(const Program& program) {
  Suites suites;
  for (const TestCase& test : program.tests)
    if (test.alone) suites[test.suite].push_back(test.fullName());
  return suites;
}

/// The tests that share processes, in groups that stay together.
std::vector<std::vector<std::string>> groupsOf(const Program& program, size_t shards) {
  Suites bySuite;
  size_t count = 0;
  for (const TestCase& test : program.tests) {
    if (test.ownProcess || test.alone) continue;
    bySuite[test.suite].push_back(test.fullName());
    ++count;
  }
  const size_t share = std::max<size_t>(1, (count + shards - 1) / shards);
  std::vector<std::vector<std::string>> groups;
  for (const auto& [suite, tests] : bySuite) {
    for (size_t from = 0; from < tests.size(); from += share) {
      const size_t size = std::min(share, tests.size() - from);
      const auto begin = tests.begin() + static_cast<std::ptrdiff_t>(from);
      groups.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
    }
  }
  std::ranges::stable_sort(groups, std::greater{}, [](const auto& tests) { return tests.size(); });
  return groups;
}

void addShared(const Program& program, size_t index, size_t shards, std::vector<Batch>& batches) {
  const std::vector<std::vector<std::string>> groups = groupsOf(program, shards);
  std::vector<Batch> shared(std::min(shards, groups.size()), Batch{index, {}, false});
  for (const std::vector<std::string>& tests : groups) {
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
    const bool alone = line.substr(tab) == "\talone";
    line = line.substr(0, tab);
    // Names of parameters and suites contain no dot.
    const size_t dot = line.find('.');
    if (dot == std::string_view::npos) continue;
    tests.push_back(
        {std::string(line.substr(0, dot)), std::string(line.substr(dot + 1)), own, alone});
  }
  return tests;
}

bool matches(const std::string& title, const std::vector<std::string>& patterns) {
  return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
           return beginsWith(title, '*' + pattern);
         });
}

std::vector<std::string> patternsWithoutTest(const std::vector<Program>& programs,
                                             const std::vector<std::string>& patterns) {
  std::vector<std::string> without;
  for (const std::string& pattern : patterns) {
    const bool any = std::ranges::any_of(programs, [&](const Program& program) {
      return std::ranges::any_of(program.tests, [&](const TestCase& test) {
        return matches(program.name + ": " + test.fullName(), {pattern});
      });
    });
    if (!any) without.push_back(pattern);
  }
  return without;
}

std::vector<Batch> batchesOf(const std::vector<Program>& programs, size_t shards) {
  std::vector<Batch> batches;
  for (size_t i = 0; i < programs.size(); ++i) {
    for (const TestCase& test : programs[i].tests)
      if (test.ownProcess) batches.push_back({i, {test.fullName()}, false});
    addShared(programs[i], i, shards, batches);
  }
  for (size_t i = 0; i < programs.size(); ++i)
    for (auto& [suite, tests] : aloneIn(programs[i])) batches.push_back({i, tests, true});
  return batches;
}

}  // namespace tilestep::runner
