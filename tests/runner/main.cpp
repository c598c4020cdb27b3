// SPDX-License-Identifier: Apache-2.0
// Runs the tests of several test programs, some at a time, and prints their outcomes.
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "runner/listing.h"
#include "runner/pool.h"
#include "support/service.h"

namespace tilestep::runner {
namespace {

using Clock = std::chrono::steady_clock;

/// The processor time that a program may take to list its tests.
constexpr std::chrono::seconds kListingLimit{60};

volatile std::sig_atomic_t interrupted = 0;

struct Settings {
  std::vector<std::string> programs, patterns;
  size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  double limitSeconds = 1500;
  std::string table;
};

/// How a failed test ended, in brackets; empty if a check failed.
std::string wayOf(const Outcome& outcome) {
  if (outcome.status == Status::skipped) return " (skipped without a reason)";
  return outcome.reason.empty() ? "" : " (" + outcome.reason + ')';
}

/// On a terminal, one line that always shows the progress; elsewhere, a line for each hundredth
/// test. Failures are printed at once.
class Progress {
 public:
  explicit Progress(size_t tests) : tests_(tests), isTerminal_(::isatty(STDOUT_FILENO) == 1) {}

  void show(const Outcome& outcome) {
    ++done_;
    const std::string place = '[' + std::to_string(done_) + '/' + std::to_string(tests_) + "] ";
    if (isTerminal_) std::cout << "\r\033[K";
    if (!isGood(outcome)) {
      std::cout << place << "failed: " << outcome.title << wayOf(outcome) << '\n'
                << outcome.output << '\n';
    } else if (isTerminal_) {
      std::cout << (place + outcome.title).substr(0, columns());
    } else if (done_ % 100 == 0) {
      std::cout << place << outcome.title << '\n';
    }
    std::cout << std::flush;
  }

  void finish() const {
    if (isTerminal_) std::cout << "\r\033[K";
  }

 private:
  static size_t columns() {
    winsize size{};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 79;
  }

  size_t tests_, done_ = 0;
  bool isTerminal_;
};

/// Prints each test that makes the run fail, one per line.
void printFailed(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes)
    if (!isGood(outcome)) std::cout << "failed: " << outcome.title << wayOf(outcome) << '\n';
}

/// The name of one of the tests.
std::string exampleOf(const std::vector<Program>& programs) {
  for (const Program& program : programs)
    if (!program.tests.empty()) return program.name + ": " + program.tests.back().fullName();
  return "program: Suite.Test";
}

int run(const Settings& settings) {
  const Clock::time_point start = Clock::now();
  std::vector<Program> programs;
  std::vector<Outcome> outcomes;
  for (const std::string& path : settings.programs) {
    Listing listing = listTests(path, kListingLimit);
    if (listing.failure) outcomes.push_back(std::move(*listing.failure));
    programs.push_back(std::move(listing.program));
  }
  const std::vector<std::string> without = patternsWithoutTest(programs, settings.patterns);
  if (!without.empty()) {
    std::cerr << "No test here has \"" << without.front() << "\" in its name, such as \""
              << exampleOf(programs) << "\". Upper and lower case differ.\n";
    return 2;
  }
  size_t tests = outcomes.size();
  for (Program& program : programs) {
    std::erase_if(program.tests, [&](const TestCase& test) {
      return !matches(program.name + ": " + test.fullName(), settings.patterns);
    });
    tests += program.tests.size();
  }
  Progress progress(tests);
  for (const Outcome& failed : outcomes) progress.show(failed);
  // A few batches per core, so that the last ones end at about the same time.
  const std::vector<Batch> batches = batchesOf(programs, 3 * settings.jobs);
  const auto alone = std::ranges::find(batches, true, &Batch::alone);
  const auto runSome = [&](auto first, auto last, size_t jobs) {
    const support::TemporaryFolder folder("tests");
    runAll(programs, {first, last},
           {jobs, Seconds(settings.limitSeconds), folder.path(), [] { return interrupted != 0; }},
           [&](Outcome outcome) {
             progress.show(outcome);
             outcomes.push_back(std::move(outcome));
           });
  };
  runSome(batches.begin(), alone, settings.jobs);
  runSome(alone, batches.end(), 1);
  progress.finish();
  printFailed(outcomes);
  if (!settings.table.empty()) std::ofstream(settings.table) << tableOf(outcomes);
  std::cout << (interrupted ? "interrupted after " : "") << summaryOf(outcomes, tests) << ", in "
            << static_cast<long>(Seconds(Clock::now() - start).count()) << " s\n";
  if (interrupted) return 130;
  return std::ranges::all_of(outcomes, isGood) ? 0 : 1;
}

}  // namespace
}  // namespace tilestep::runner

int main(int argc, char** argv) {
  using namespace tilestep::runner;
  Settings settings;
  CLI::App app(
      "Runs test programs: whole suites at a time in a few processes, and those that ask "
      "for it in processes of their own.");
  app.add_option("PROGRAMS", settings.programs, "The test programs' paths")->required();
  app.add_option(
      "--match", settings.patterns,
      "Run what has this in its name, \"program: Suite.Test\"; * stands for any characters");
  app.add_option("--jobs", settings.jobs, "Processes at a time; default: one a processor")
      ->check(CLI::PositiveNumber);
  app.add_option("--limit", settings.limitSeconds, "The longest time of one test, in seconds")
      ->capture_default_str();
  app.add_option("--table", settings.table, "A file for each test's outcome and time");
  CLI11_PARSE(app, argc, argv);
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    std::signal(number, [](int) { interrupted = 1; });
  try {
    return run(settings);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
