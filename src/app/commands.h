// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One function a command: it adds the command, its options and what runs it to the command line.
namespace tilestep::app {

class CommandLine;

/// The program itself: its options preset the window.
void addWindow(CommandLine& line);
void addRunCommand(CommandLine& line);
void addSweepCommand(CommandLine& line);
void addRecordCommand(CommandLine& line);
void addKernelsCommand(CommandLine& line);
void addDevicesCommand(CommandLine& line);
void addPtxCommand(CommandLine& line);
void addDraftCommand(CommandLine& line);
void addWorkerCommand(CommandLine& line);
void addPlayCommand(CommandLine& line);

}  // namespace tilestep::app
