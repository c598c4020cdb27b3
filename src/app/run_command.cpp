// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "app/commands.h"
#include "app/options.h"
#include "app/program_command.h"
#include "app/text_report.h"
#include "app/tuned_choice.h"
#include "app/what_if.h"
#include "lab/lab.h"
#include "lab/launch/operation.h"

namespace tilestep::app {
namespace {

struct RunOptions {
  std::vector<std::string> files;
  std::string kernel, spec, trace;
  ProgramOptions program;
  bool isProgram = false;
  Choice choice;
  WorkerOptions worker;
  lab::Experiment experiment;
  bool json = false, noMeasure = false, tuned = false;
  std::vector<std::string> whatIf;
  uint32_t registers = 0;
};

/// Stands for a --timeout that was not given, because the default depends on whether a kernel or a
/// program runs. Not a valid limit.
constexpr double kNotSaid = std::numeric_limits<double>::lowest();

/// Parses "X,Y" or "X,Y,Z".
Result<Dim3> blockOf(const std::string& text) {
  const Result<std::vector<int64_t>> values = lab::parseValues(text);
  const bool fits = values && (values->size() == 2 || values->size() == 3) &&
                    std::all_of(values->begin(), values->end(),
                                [](int64_t v) { return v >= 0 && v <= UINT32_MAX; });
  if (!fits) return requestError("--trace needs a block as X,Y or X,Y,Z, not '" + text + "'");
  const auto part = [&](size_t i) { return static_cast<uint32_t>((*values)[i]); };
  return Dim3{part(0), part(1), values->size() == 3 ? part(2) : 0};
}

Result<lab::Experiment> experimentOf(const RunOptions& options, const Kernel& kernel) {
  lab::Experiment experiment = options.experiment;
  Result<Chosen> chosen = chosenOf(options.choice, kernel.spec);
  if (!chosen) return chosen.error();
  experiment.source = kernel.source;
  experiment.sizes = std::move(chosen->sizes);
  experiment.tunables = std::move(chosen->tunables);
  experiment.measure = !options.noMeasure;
  if (!options.whatIf.empty()) experiment.counters = true;  // The bounds need requested bytes.
  if (options.trace.empty()) return experiment;
  const Result<Dim3> block = blockOf(options.trace);
  if (!block) return block.error();
  experiment.traceBlock = *block;
  return experiment;
}

/// Prints the result. A check that compared nothing counts as failed.
int report(const RunOptions& options, const lab::RunResult& result,
           const std::vector<lab::DeviceFile>& elsewhere) {
  std::vector<lab::WhatIf> whatIfs;
  for (const lab::DeviceFile& device : elsewhere)
    whatIfs.push_back(lab::whatIf(device, result, options.registers));
  if (result.nothingToCompare)
    say("tilestep: " + (options.spec.empty() ? result.source : options.spec) + ": " +
        result.checkNote);
  const bool unjudged = options.experiment.check && !result.check;
  return print(
      options.json ? lab::toJson(result, whatIfs) : textReport(result) + whatIfTable(whatIfs),
      result.clean() && !unjudged ? kDone : kWrong);
}

int runKernel(const RunOptions& options) {
  const Result<Kernel> kernel = loadKernel(options.kernel, options.choice.entry, options.spec);
  if (!kernel) return fail(kernel.error());
  if (!options.json) sayNotes(*kernel);
  Result<lab::Experiment> experiment = experimentOf(options, *kernel);
  if (!experiment) return fail(experiment.error());
  const Result<std::vector<lab::DeviceFile>> elsewhere = knownDevices(options.whatIf);
  if (!elsewhere) return fail(elsewhere.error());
  Result<std::unique_ptr<worker::Client>> client = startWorker(options.worker);
  if (!client) return fail(client.error());
  if (options.tuned) {
    if (const Status taken = takeTuned(**client, *experiment); !taken) return fail(taken.error());
  }
  const auto answer = bodyOf<lab::ResultPointer>(await(**client, (*client)->run(*experiment)));
  if (!answer) return fail(answer.error());
  lab::RunResult result = **answer;
  result.assumed = kernel->spec.assumed;
  return report(options, result, *elsewhere);
}

int run(RunOptions& options) {
  const double timeout = options.experiment.timeoutSeconds;
  if (timeout == kNotSaid)
    options.experiment.timeoutSeconds = lab::Experiment{}.timeoutSeconds;
  else
    options.program.timeoutSeconds = timeout;
  // Several files can only be a program.
  if (options.isProgram || options.files.size() > 1 ||
      (options.spec.empty() && isProgram(options.files.front()))) {
    ProgramOptions& program = options.program;
    program.files = options.files;
    program.check = options.experiment.check;
    program.counters = options.experiment.counters;
    program.json = options.json;
    program.order = options.experiment.order;
    program.device = options.experiment.device;
    program.worker = options.worker.command;
    program.operation = options.experiment.operation;
    // Only checked launches report what they read and wrote.
    program.check = program.check || !program.operation.empty();
    const auto& known = lab::kOperations;
    const std::string& operation = options.experiment.operation;
    if (!operation.empty() && std::ranges::find(known, operation) == std::end(known))
      return fail(requestError("there is no operation " + operation +
                               "; there are product, sum, transpose, reduction, scan, histogram"));
    if (program.launch != 0) {
      program.experiment = options.experiment;
      program.launchWorker = options.worker;
      if (!options.trace.empty()) {
        const Result<Dim3> block = blockOf(options.trace);
        if (!block) return fail(block.error());
        program.experiment.traceBlock = *block;
      }
    }
    return runProgram(program);
  }
  if (options.program.launch != 0)
    return fail(requestError("--launch needs a program, but " + options.files.front() +
                             " is a kernel; --program runs it as a program"));
  options.kernel = options.files.front();
  return runKernel(options);
}

}  // namespace

void addRunCommand(CommandLine& line, const std::vector<std::string>& rest) {
  auto options = std::make_shared<RunOptions>();
  lab::Experiment& experiment = options->experiment;
  experiment.timeoutSeconds = kNotSaid;
  Command command = line.add("run", "Runs a kernel once and reports what it did",
                             [options] { return run(*options); });
  options->program.arguments = rest;
  command.option("kernel", &options->files,
                 "A kernel's name, a .cu file, or the files of a program with a main function",
                 {.type = "KERNEL|FILE.cu...", .required = true});
  command.flag("--program", options->isProgram,
               "Compile and run the files as a whole program, even if they have front matter");
  addSourceOptions(command, options->program);
  command.option("--as", &options->program.as,
                 "The known device that the program sees (nvidia-h200; devices --known lists them)",
                 {.type = "DEVICE"});
  command.option(
      "--launch", &options->program.launch,
      "Run only this launch of a program, counted from 1, and report on it like a kernel",
      {.type = "N", .range = Between<int>{1, 1000000000}});
  command.flag("--compile", options->program.compileOnly,
               "Only compile a program, and report the compiler's errors");
  command.option("--report", &options->program.report,
                 "Write a program's report to FILE, for the window, instead of printing it",
                 {.type = "FILE"});
  command.option("--operation", &experiment.operation,
                 "The operation that a program's launches should compute: product, sum, transpose, "
                 "reduction, scan or histogram; any other result is then a fault",
                 {.type = "NAME"});
  command.option(
      "--spec", &options->spec,
      "Use the interface, data and reference of this kernel, exercise or TOML file instead of "
      "those in FILE.cu",
      {.type = "KERNEL|FILE.toml"});
  addDeviceOption(command, experiment.device, "auto, simt, cuda:N or recorded:NAME");
  addChoiceOptions(command, options->choice, false);
  command.flag("--tuned", options->tuned,
               "Use the tunables that sweep --best found to be the fastest on this device");
  command.flag("--counters", experiment.counters, "Count memory requests, sectors and more");
  command.flag("--hardware", experiment.hardware,
               "Read the GPU's own counters in extra runs; with --counters, compare them");
  command.option("--trace", &options->trace, "Record this block's memory events",
                 {.type = "X,Y[,Z]"});
  command.flag("--timeline", experiment.timeline,
               "Report when and where each block ran (GPU only)");
  command.flag("--timings", experiment.timings,
               "Time one launch in four ways, with a CPU clock and with events (GPU only)");
  command.flag("--check", experiment.check, "Compare the result with a float64 reference");
  command.flag("--no-measure", options->noMeasure, "Do not measure the time");
  command.flag("--thorough", experiment.thorough,
               "Measure for a second or two, also with a cold L2 cache, and read the power");
  command.option("--seed", &experiment.seed, "Seed of the inputs (1)", {.type = "S"});
  command.option(
      "--order", &experiment.order,
      "Seed that shuffles the interpreter's blocks, warps, and lanes at atomic operations "
      "(0: numbered order)",
      {.type = "S"});
  command.option("--what-if", &options->whatIf,
                 "Also compute bounds and occupancy on a known device from published figures "
                 "(devices --known lists them; or all)",
                 {.type = "DEVICE"});
  command.option("--registers", &options->registers,
                 "With --what-if: assume N registers per thread",
                 {.type = "N", .needs = "--what-if", .range = Between<int>{1, 255}});
  addLimitOptions(command, experiment,
                  "Give up after SECONDS for all of the run, from compiling to checking (60; a "
                  "whole program: 600)");
  command.flag("--json", options->json, "Print JSON");
  addWorkerOptions(command, options->worker);
  command.footer("Example: tilestep run matmul_tiled --size 1024 --set TILE_WIDTH=16 --counters");
}

}  // namespace tilestep::app
