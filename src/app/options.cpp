// SPDX-License-Identifier: Apache-2.0
#include "app/options.h"

namespace tilestep::app {

void addKernelArgument(Command& command, std::string& kernel) {
  command.option("kernel", &kernel, "A kernel's name, or a .cu file",
                 {.type = "KERNEL|FILE.cu", .required = true});
}

void addDeviceOption(Command& command, std::string& device, const std::string& kinds) {
  command.option("--device", &device, kinds, {.type = "DEVICE"});
}

void addEntryOption(Command& command, std::string& entry) {
  command.option(
      "--entry", &entry,
      "Which __global__ function of the file to run, if it has several; name a template with "
      "its arguments: \"reduce<256>\"",
      {.type = "NAME"});
}

void addChoiceOptions(Command& command, Choice& choice, bool lists) {
  addEntryOption(command, choice.entry);
  const std::string values = lists ? "; lists A,B,C and ranges FIRST:LAST[:STEP] are swept" : "";
  // Each occurrence accepts one value, so that the option does not swallow a KERNEL that follows.
  command.option("--size", &choice.sizes, "S for m, n and k (or all sizes), or NAME=V" + values,
                 {.type = "S|NAME=V", .oneWordEach = true});
  command.option("--m", &choice.m, "Rows of M and P", {.type = "M"});
  command.option("--n", &choice.n, "Columns of N and P", {.type = "N"});
  command.option("--k", &choice.k, "Columns of M, rows of N", {.type = "K"});
  command.option("--set", &choice.tunables, "A tunable's value" + values,
                 {.type = "NAME=VALUE", .oneWordEach = true});
}

void addWorkerOption(Command& command, std::string& workerCommand) {
  command.option("--worker", &workerCommand,
                 "Run the work with this command, such as \"ssh host tilestep worker\"",
                 {.type = "\"COMMAND ARGS\""});
}

void addThreadsOption(Command& command, unsigned& threads, const std::string& help) {
  command.option("--threads", &threads, help, {.type = "N", .range = Between<int>{0, 1024}});
}

void addMemoryOption(Command& command, uint64_t& bytes, const std::string& help) {
  command.option("--memory", &bytes, help, {.type = "BYTES", .isMemorySize = true});
}

void addLimitOptions(Command& command, lab::Experiment& experiment,
                     const std::string& timeoutHelp) {
  command.option("--timeout", &experiment.timeoutSeconds, timeoutHelp, {.type = "SECONDS"});
  addMemoryOption(
      command, experiment.memoryBytes,
      "Refuse runs that need more than BYTES of the machine's memory: 800000000, 512M, 2G (no "
      "separate limit)");
}

void addWorkerOptions(Command& command, WorkerOptions& options) {
  addWorkerOption(command, options.command);
  addThreadsOption(command, options.threads, "Threads of the local interpreter (0: all cores)");
}

}  // namespace tilestep::app
