// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Which tests run together in one process.
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
  bool alone = false;  ///< Nothing may run beside it.
};

/// The tests in what a program prints with `--tests` (support/test_main.cpp).
std::vector<TestCase> testsIn(std::string_view listing);

/// Whether one of the patterns is part of "program: Suite.Test"; `*` stands for any characters.
/// Without patterns every test matches.
bool matches(const std::string& title, const std::vector<std::string>& patterns);

/// The patterns that match no test of the programs.
std::vector<std::string> patternsWithoutTest(const std::vector<Program>& programs,
                                             const std::vector<std::string>& patterns);

/// Each test that needs a process of its own is a batch, and so is each suite that runs alone;
/// these come last. All other tests of a program are spread over at most `shards` batches (1 or
/// more), the largest suites first. A suite stays whole unless it has more than its share of the
/// program's tests.
std::vector<Batch> batchesOf(const std::vector<Program>& programs, size_t shards);

}  // namespace tilestep::runner
