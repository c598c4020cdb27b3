// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "app/command_line.h"
#include "app/environment.h"
#include "app/kernel_choice.h"

/// Options that several commands share.
namespace tilestep::app {

/// The positional argument KERNEL|FILE.cu.
void addKernelArgument(Command& command, std::string& kernel);
/// --device. `kinds`: the accepted values, for the help.
void addDeviceOption(Command& command, std::string& device, const std::string& kinds);
/// --entry, --size, --m, --n, --k and --set. `lists`: whether the help mentions lists and ranges.
void addChoiceOptions(Command& command, Choice& choice, bool lists);
/// --entry, for one file.
void addEntryOption(Command& command, std::string& entry);
/// --worker, for commands that start one.
void addWorkerOption(Command& command, std::string& workerCommand);
/// --threads.
void addThreadsOption(Command& command, unsigned& threads, const std::string& help);
/// --memory.
void addMemoryOption(Command& command, uint64_t& bytes, const std::string& help);
/// --timeout and --memory of a run.
void addLimitOptions(Command& command, lab::Experiment& experiment, const std::string& timeoutHelp);
/// --worker and --threads.
void addWorkerOptions(Command& command, WorkerOptions& options);

}  // namespace tilestep::app
