// SPDX-License-Identifier: Apache-2.0
// Runs the tests of several test programs, some at a time, and prints how they ended.
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runner/pool.h"
#include "support/tool.h"

namespace tilestep::runner {
namespace {

volatile std::sig_atomic_t interrupted = 0;

struct Settings {
  std::vector<std::string> programs, patterns;
  size_t jobs = std::max(1U, std::thread::hardware_concurrency());
  double limitSeconds = 1500;
  std::string table;
};

/// A folder that is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "tilestep-tests-XXXXXX";
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make the folder " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Program programAt(const std::string& path, const std::vector<std::string>& patterns) {
  std::string name = std::filesystem::path(path).filename();
  if (name.starts_with("test_")) name.erase(0, 5);
  Program program{name, path, {}};
  const support::Finished listing = support::Running({path, "--tests"}).wait();
  if (listing.status != 0)
    throw std::runtime_error("cannot list the tests of " + path + ": " + listing.err);
  for (TestCase& test : testsIn(listing.out))
    if (matches(name + ": " + test.fullName(), patterns)) program.tests.push_back(std::move(test));
  return program;
}

/// On a terminal, one line that always shows how far the run is; elsewhere a line for each
/// hundredth test. What failed is printed as soon as it did.
class Progress {
 public:
  explicit Progress(size_t tests) : tests_(tests), isTerminal_(::isatty(STDOUT_FILENO) == 1) {}

  void show(const Outcome& outcome) {
    ++done_;
    const std::string place = '[' + std::to_string(done_) + '/' + std::to_string(tests_) + "] ";
    if (isTerminal_) std::cout << "\r\033[K";
    if (!isGood(outcome)) {
      std::cout << place << outcome.title << ": "
                << (outcome.status == Status::failed ? "failed" : "skipped without a reason")
                << (outcome.reason.empty() ? "" : ", " + outcome.reason) << '\n'
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

void printFailed(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes)
    if (outcome.status == Status::failed)
      std::cout << "failed: " << outcome.title
                << (outcome.reason.empty() ? "" : " (" + outcome.reason + ')') << '\n';
}

int run(const Settings& settings) {
  std::vector<Program> programs;
  size_t tests = 0;
  for (const std::string& path : settings.programs) {
    programs.push_back(programAt(path, settings.patterns));
    tests += programs.back().tests.size();
  }
  if (tests == 0) {
    std::cerr << "no test has such a name\n";
    return 2;
  }
  // A few batches a core, so that the last ones end at about the same time.
  const std::vector<Batch> batches = batchesOf(programs, 3 * settings.jobs);
  const TemporaryFolder folder;
  std::vector<Outcome> outcomes;
  Progress progress(tests);
  runAll(programs, batches,
         {settings.jobs, Seconds(settings.limitSeconds), folder.path(),
          [] { return interrupted != 0; }},
         [&](Outcome outcome) {
           progress.show(outcome);
           outcomes.push_back(std::move(outcome));
         });
  progress.finish();
  printFailed(outcomes);
  if (!settings.table.empty()) std::ofstream(settings.table) << tableOf(outcomes);
  std::cout << (interrupted ? "interrupted: " : "") << summaryOf(outcomes) << '\n';
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
  app.add_option("--jobs", settings.jobs, "Processes at a time; default: one a processor");
  app.add_option("--limit", settings.limitSeconds, "The longest time of one test, in seconds")
      ->capture_default_str();
  app.add_option("--table", settings.table, "A file for each test's outcome and time");
  CLI11_PARSE(app, argc, argv);
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  try {
    return run(settings);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
