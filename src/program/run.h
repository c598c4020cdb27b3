// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "program/launcher.h"
#include "program/program.h"
#include "program/record.h"

namespace tilestep::program {

struct RunRequest {
  Sources sources;
  Tools tools;
  std::vector<std::string> arguments;  ///< The program's arguments, without its name.
  std::string input;                   ///< The contents of stdin; if empty, our stdin.
  std::filesystem::path folder;        ///< The program's working folder; if empty, ours.
  guest::DeviceFacts device{};         ///< The device that the interpreter reports.
  int gpu = -1;                        ///< The GPU that runs the program; -1 for the interpreter.
  bool timed = false;   ///< With a GPU, measures the time of each copy, fill and launch.
  bool looked = false;  ///< With a GPU, the interpreter runs the launches, too.
  LaunchRules launches;
  bool printsAtOnce = false;    ///< Its output is not buffered.
  bool keepsOutput = false;     ///< Its output goes to ProgramRun::output, not to our streams.
  double timeoutSeconds = 600;  ///< The limit for the whole run.
  uint64_t memoryBytes = 0;
  /// Called every few milliseconds during a launch, on another thread; may be empty.
  std::function<void(const LaunchProgress&)> progress;
};

/// Compiles a program and runs it until it ends, as a separate process with this process's standard
/// streams and environment. An Error means that it could not be compiled or started.
Result<ProgramRun> run(const RunRequest& request, const std::function<bool()>& cancelled);

/// Only compiles the program. A compile error has its location.
Status compile(const RunRequest& request);

}  // namespace tilestep::program
