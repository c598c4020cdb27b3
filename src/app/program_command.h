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
  std::string standard;         ///< Empty: clang's C++17.
  std::string device = "auto";  ///< auto, simt or cuda:N.
  std::string worker;           ///< A command; rejected.
  /// The known device that the interpreter reports to the program; empty: an H200.
  std::string as;
  std::vector<std::string> arguments;  ///< The program's own.
  bool check = false, counters = false, json = false;
  bool compileOnly = false;
  std::string report;     ///< A file for the report, instead of printing it.
  std::string operation;  ///< The operation that launches should compute; empty: not given.
  uint64_t order = 0;
  unsigned threads = 0;
  double timeoutSeconds = 600;
  /// The launch, from 1, to run as an experiment; 0: the whole program is run.
  uint64_t launch = 0;
  lab::Experiment experiment;  ///< With `launch`: the requests for it.
  WorkerOptions launchWorker;  ///< With `launch`: the worker that runs it.
};

/// Whether `file` is a program with a `main` function, not a kernel file with front matter.
[[nodiscard]] bool isProgram(const std::string& file);

/// Adds -I, -D and --std.
void addSourceOptions(Command& command, ProgramOptions& options);

/// The request for the program's run. Error: there is no device, or none of that name.
[[nodiscard]] Result<program::RunRequest> requestFor(const ProgramOptions& options);

/// Compiles and runs it, and reports the findings on standard error, or everything on standard
/// output as JSON. Returns the exit status: docs/programs.md.
int runProgram(const ProgramOptions& options);

}  // namespace tilestep::app
