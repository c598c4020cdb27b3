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

/// One run of a program in a separate process (`tilestep run FILE --report`), which compiles it,
/// runs it in the interpreter and looks for faults. Destroying it ends the process and the program.
class Running {
 public:
  /// The most output of a program that is kept: its last part.
  static constexpr size_t kMostOutput = size_t{256} << 10;

  /// `runner`: the tilestep to start. `onlyCompiles`: the program is not run.
  static Result<std::unique_ptr<Running>> start(const std::string& runner,
                                                const compile::ProgramSource& program,
                                                bool onlyCompiles);
  [[nodiscard]] bool onlyCompiles() const { return onlyCompiles_; }

  /// Collects new output. True if there was any, or if the run has just ended.
  bool poll();
  [[nodiscard]] bool hasEnded() const { return ended_; }
  /// Sends a line of input to the program, or ends its input.
  void send(std::string_view line);
  /// Sends input that is not echoed in its output.
  void give(std::string_view text);
  void endInput();

  [[nodiscard]] const std::string& output() const { return output_; }
  /// The outcome after the end, or the reason why the program could not be compiled or started.
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

/// Splits a command line into words at blanks, except within quotes.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view line);

}  // namespace tilestep::features
