// SPDX-License-Identifier: Apache-2.0
#include "runner/listing.h"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/process/run_command.h"

namespace tilestep::runner {
namespace {

std::string nameOf(const std::string& path) {
  constexpr std::string_view kPrefix = "test_";
  std::string name = std::filesystem::path(path).filename();
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

}  // namespace

Listing listTests(const std::string& path, std::chrono::milliseconds limit) {
  Listing listing{{nameOf(path), path, {}}, {}};
  const auto fail = [&](std::string reason, std::string output) {
    listing.failure = Outcome{listing.program.name + ": its list of tests", Status::failed, 0,
                              std::move(reason), std::move(output)};
    return listing;
  };
  const Result<CommandResult> result = runCommand({path, "--tests"}, limit);
  if (!result) return fail(result.error().message, "");
  if (result->timedOut) return fail("took longer than " + result->limit, result->output);
  if (result->exitStatus != 0)
    return fail("exit status " + std::to_string(result->exitStatus), result->output);
  std::vector<TestCase> tests = testsIn(result->output);
  if (tests.empty()) return fail("the program has no tests", result->output);
  std::set<std::string> names;
  for (const TestCase& test : tests)
    if (!names.insert(test.fullName()).second)
      return fail("two tests are called " + test.fullName(), "");
  listing.program.tests = std::move(tests);
  return listing;
}

}  // namespace tilestep::runner
