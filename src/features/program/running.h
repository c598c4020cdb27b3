// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/private_folder.h"
#include "base/process/child_process.h"
#include "base/result.h"
#include "compile/program_source.h"
#include "features/names.h"
#include "lab/program/program_summary.h"

namespace tilestep::features {

/// One run of a program in a separate process (`tilestep run FILE --report`), which compiles and
/// interprets it and finds faults. The destructor ends the process and the program.
class Running {
 public:
  /// Only this much of the program's latest output is kept.
  static constexpr size_t kMostOutput = size_t{256} << 10;

  /// Starts `runner`, a tilestep executable. `onlyCompiles` does not run the program.
  static Result<std::unique_ptr<Running>> start(const std::string& runner,
                                                const compile::ProgramSource& program,
                                                bool onlyCompiles);
  [[nodiscard]] bool onlyCompiles() const { return onlyCompiles_; }

  /// Collects new output. Returns true if there was any, or if the run has just ended.
  bool poll();
  [[nodiscard]] bool hasEnded() const { return ended_; }
  /// Sends a line of input, which is echoed in the output.
  void send(std::string_view line);
  /// Sends input that is not echoed in the output.
  void give(std::string_view text);
  void endInput();

  [[nodiscard]] const std::string& output() const { return output_; }
  /// After the end: the outcome, or the reason why the program could not be compiled or started.
  [[nodiscard]] Result<lab::ProgramSummary> result() const;

 private:
  explicit Running(ChildProcess child) : child_(std::move(child)) {}
  void write();
  bool read();

  std::unique_ptr<PrivateFolder> folder_;
  ChildProcess child_;
  std::string output_, toWrite_;
  bool onlyCompiles_ = false, endsInput_ = false, ended_ = false;
  int status_ = 0;
};

/// Splits a command line into words at blanks outside of quotes.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view line);

}  // namespace tilestep::features
