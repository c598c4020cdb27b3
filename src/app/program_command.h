// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/command_line.h"
#include "app/environment.h"
#include "base/result.h"
#include "lab/experiment.h"
#include "program/run.h"

/// `run` of a whole program.
namespace tilestep::app {

struct ProgramOptions {
  std::vector<std::string> files;
  std::vector<std::string> includes, defines;
  std::string standard;         ///< C++17 if empty.
  std::string device = "auto";  ///< auto, simt or cuda:N.
  std::string worker;           ///< The value of --worker, which programs do not support.
  /// The known device that the interpreter reports to the program; an H200 if empty.
  std::string as;
  std::vector<std::string> arguments;  ///< Passed to the program.
  bool check = false, counters = false, json = false;
  bool compileOnly = false;
  std::string report;     ///< A file for the report, instead of printing it.
  std::string operation;  ///< The operation that launches should compute; empty if not given.
  uint64_t order = 0;
  unsigned threads = 0;
  double timeoutSeconds = 600;
  /// The number, from 1, of the launch to run as an experiment; 0 runs the whole program.
  uint64_t launch = 0;
  lab::Experiment experiment;  ///< With `launch`: the settings of its experiment.
  WorkerOptions launchWorker;  ///< With `launch`: the worker that runs it.
};

/// Whether `file` is a program with a `main` function, not a kernel file with front matter.
[[nodiscard]] bool isProgram(const std::string& file);

/// Adds -I, -D and --std.
void addSourceOptions(Command& command, ProgramOptions& options);

/// The request for the program's run. Error: no such device.
[[nodiscard]] Result<program::RunRequest> requestFor(const ProgramOptions& options);

/// Compiles and runs the program. Reports the findings on standard error, or with --json prints
/// everything on standard output. Returns the exit status (docs/programs.md).
int runProgram(const ProgramOptions& options);

}  // namespace tilestep::app
