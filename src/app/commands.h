// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

/// One function a command: it adds its options to the command line and returns what runs it.
namespace tilestep::app {

/// Runs the command once its options are read; returns the exit status.
using Action = std::function<int()>;

Action addRunCommand(CLI::App& root);
Action addSweepCommand(CLI::App& root);
Action addRecordCommand(CLI::App& root);
Action addKernelsCommand(CLI::App& root);
Action addDevicesCommand(CLI::App& root);
Action addPtxCommand(CLI::App& root);
Action addDraftCommand(CLI::App& root);
Action addWorkerCommand(CLI::App& root);
Action addPlayCommand(CLI::App& root);
/// The options of the program itself: they preset the window.
Action addWindowOptions(CLI::App& root);

}  // namespace tilestep::app
