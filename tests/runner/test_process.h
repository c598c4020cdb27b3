// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/process/child_process.h"
#include "runner/batches.h"
#include "runner/outcome.h"

namespace tilestep::runner {

using Seconds = std::chrono::duration<double>;

/// A batch of tests running in one process of a test program.
class TestProcess {
 public:
  /// Starts the process with `files` as the beginning of the paths of its temporary files. Throws
  /// std::runtime_error if the process or a file cannot be made.
  TestProcess(const Program& program, const Batch& batch, const std::string& files);
  /// Kills the process and all processes that it started.
  ~TestProcess();
  TestProcess(const TestProcess&) = delete;
  TestProcess& operator=(const TestProcess&) = delete;

  /// Reads new reports, checks whether the process ended, and passes on each test that ended. Kills
  /// a process whose current test has run for longer than `limit`. Returns true once the process
  /// has ended.
  bool update(Seconds limit, const std::function<void(Outcome)>& ended);

  /// After the process has ended: the tests of the batch that did not run, because the process
  /// crashed or was killed before them.
  [[nodiscard]] Batch rest() const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Current {
    std::string name;
    size_t outputFrom = 0;
  };

  void takeLine(const std::string& line, const std::function<void(Outcome)>& ended);
  void readReport(const std::function<void(Outcome)>& ended);
  void noteEnd(int waitStatus, Seconds limit, const std::function<void(Outcome)>& ended);
  [[nodiscard]] std::string titleOf(const std::string& test) const;
  [[nodiscard]] std::string output(size_t from, size_t to) const;
  [[nodiscard]] std::string outputBeforeTests() const;
  [[nodiscard]] std::string mark() const;
  [[nodiscard]] Seconds silence() const { return Clock::now() - lastReport_; }

  Batch batch_;
  std::string programName_, files_;
  std::optional<ChildProcess> child_;
  size_t readUpTo_ = 0;  ///< Position in the file of reports.
  std::optional<Current> current_;
  std::vector<std::string> done_;
  bool wasKilled_ = false, anyFailed_ = false;
  Clock::time_point lastReport_ = Clock::now();
};

}  // namespace tilestep::runner
