// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// One function per command. Each adds the command, its options and its action to the command line.
namespace tilestep::app {

class CommandLine;

/// Adds the options that apply when no command is given; they preset the window.
void addWindow(CommandLine& line);
void addRunCommand(CommandLine& line, const std::vector<std::string>& rest);
void addSweepCommand(CommandLine& line);
void addRecordCommand(CommandLine& line);
void addKernelsCommand(CommandLine& line);
void addLabsCommand(CommandLine& line);
void addDevicesCommand(CommandLine& line);
void addPtxCommand(CommandLine& line);
void addDraftCommand(CommandLine& line, const std::vector<std::string>& rest);
void addGradeCommand(CommandLine& line);
void addAssignmentCommand(CommandLine& line);
void addWorkerCommand(CommandLine& line);
void addPlayCommand(CommandLine& line);

}  // namespace tilestep::app
