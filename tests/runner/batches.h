// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Decides which tests run together in one process.
namespace tilestep::runner {

struct TestCase {
  std::string suite, name;
  bool ownProcess = false;  ///< support::OwnProcess.
  bool alone = false;       ///< support::Alone.

  [[nodiscard]] std::string fullName() const { return suite + '.' + name; }
};

/// A test program: "unit" is build/.../test_unit.
struct Program {
  std::string name, path;
  std::vector<TestCase> tests;
};

/// Tests of one program for one process, by full names ("Suite.Test").
struct Batch {
  size_t program = 0;  ///< An index into the programs.
  std::vector<std::string> tests;
  bool alone = false;  ///< Nothing may run at the same time.
};

/// The tests in the output of a program's `--tests` (support/test_main.cpp).
std::vector<TestCase> testsIn(std::string_view listing);

/// Whether one of the patterns matches a part of "program: Suite.Test"; `*` matches any characters.
/// Without patterns, every test matches.
bool matches(const std::string& title, const std::vector<std::string>& patterns);

/// The patterns that match no test of the programs.
std::vector<std::string> patternsWithoutTest(const std::vector<Program>& programs,
                                             const std::vector<std::string>& patterns);

/// Each test that needs its own process is a batch, and so is each suite that runs alone; the
/// latter come last. All other tests of a program are distributed over at most `shards` batches (1
/// or more), the largest suites first. A suite is split only if it has more than a batch's share of
/// the program's tests.
std::vector<Batch> batchesOf(const std::vector<Program>& programs, size_t shards);

}  // namespace tilestep::runner
