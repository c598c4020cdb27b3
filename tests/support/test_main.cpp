// SPDX-License-Identifier: Apache-2.0
// The main function of every test program. `--tests` lists the tests for tests/runner, one per
// line, with "own" or "alone" after a tab (support/own_process.h). `--remake` stores new outcomes
// (support/remake.h). If $TILESTEP_TEST_REPORT is set, it is the beginning of the paths of two
// files: the output, and reports of each test's start and end.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "support/own_process.h"
#include "support/remake.h"

namespace tilestep::support {
namespace {

/// The word that `--tests` prints after the tests of suites that do not share processes.
std::map<std::string, const char*>& suiteMarks() {
  static std::map<std::string, const char*> marks;
  return marks;
}

void markSuites(std::initializer_list<const char*> suites, const char* mark) {
  for (const char* suite : suites) suiteMarks()[suite] = mark;
}

bool& remakeFlag() {
  static bool flag = false;
  return flag;
}

std::string nameOf(const testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + '.' + test.name();
}

void listTests() {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    const auto mark = suiteMarks().find(suite.name());
    for (int j = 0; j < suite.total_test_count(); ++j)
      std::printf("%s%s\n", nameOf(*suite.GetTestInfo(j)).c_str(),
                  mark != suiteMarks().end() ? mark->second : "");
  }
}

/// For a skipped test that printed "[reason: text] detail": the text, a tab and the detail.
/// Otherwise only the tab.
std::string reasonIn(const testing::TestResult& result) {
  constexpr std::string_view kStart = "[reason: ";
  for (int i = 0; i < result.total_part_count(); ++i) {
    std::string message = result.GetTestPartResult(i).message();
    const size_t begin = message.find(kStart);
    if (begin == std::string::npos) continue;
    message = message.substr(begin + kStart.size());
    message.resize(std::min(message.find_first_of("\n\t"), message.size()));
    const size_t end = std::min(message.find(']'), message.size());
    const size_t detail = std::min(message.find_first_not_of("] ", end), message.size());
    return message.substr(0, end) + '\t' + message.substr(detail);
  }
  return "\t";
}

/// Writes a line when a test starts and when it ends, with the size of the program's output so far,
/// so that the runner knows which part of the output belongs to the test.
class Reporter : public testing::EmptyTestEventListener {
 public:
  /// The output goes to `files`.output, the lines to `files`.report.
  explicit Reporter(const std::string& files)
      : output_(opened(files + ".output")), report_(opened(files + ".report")) {
    ::dup2(output_.get(), STDOUT_FILENO);
    ::dup2(output_.get(), STDERR_FILENO);
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // A crash loses no line.
  }

  void OnTestStart(const testing::TestInfo& test) override {
    write("start\t" + nameOf(test) + '\t' + outputSize());
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    const testing::TestResult& result = *test.result();
    const char* status = result.Failed() ? "failed" : result.Skipped() ? "skipped" : "passed";
    write("end\t" + nameOf(test) + '\t' + status + '\t' + std::to_string(result.elapsed_time()) +
          '\t' + outputSize() + '\t' + reasonIn(result));
  }

 private:
  static Descriptor opened(const std::string& path) {
    return Descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  }

  [[nodiscard]] std::string outputSize() const {
    std::fflush(stdout);
    return std::to_string(::lseek(output_.get(), 0, SEEK_END));
  }

  void write(const std::string& line) const {
    // Otherwise the runner would not learn how tests end.
    if (!writeAll(report_.get(), line + '\n')) std::abort();
  }

  Descriptor output_, report_;
};

}  // namespace

bool remakes() {
  return remakeFlag();
}

OwnProcess::OwnProcess(std::initializer_list<const char*> suites) {
  markSuites(suites, "\town");
}

Alone::Alone(std::initializer_list<const char*> suites) {
  markSuites(suites, "\talone");
}

}  // namespace tilestep::support

int main(int argc, char** argv) {
  using namespace tilestep::support;
  testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && std::string_view(argv[1]) == "--tests") {
    listTests();
    return 0;
  }
  remakeFlag() = argc > 1 && std::string_view(argv[1]) == "--remake";
  if (const char* files = std::getenv("TILESTEP_TEST_REPORT")) {
    testing::UnitTest::GetInstance()->listeners().Append(new Reporter(files));
    ::unsetenv("TILESTEP_TEST_REPORT");  // Programs that the tests start must not report.
  }
  return RUN_ALL_TESTS();
}
