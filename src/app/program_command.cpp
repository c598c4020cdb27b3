// SPDX-License-Identifier: Apache-2.0
#include "app/program_command.h"

#include <filesystem>

#include "app/environment.h"
#include "app/launch_status.h"
#include "app/program/launch_command.h"
#include "app/program_json.h"
#include "app/program_report.h"
#include "app/what_if.h"
#include "base/files.h"
#include "compile/program_source.h"
#include "device/device.h"
#include "lab/devices/device_pool.h"
#include "program/request.h"
#include "program/summary.h"
#include "worker/program_report.h"

namespace tilestep::app {
namespace {

/// Writes the report instead of printing it, and returns the exit status.
int writeReport(const ProgramOptions& options, const Result<lab::ProgramSummary>& summary) {
  const Status written = writeFileAtomically(options.report, worker::reportOf(summary));
  if (!written) return fail(written.error());
  if (!summary) return kRefused;
  return summary->faults() > 0 || summary->timedOut ? kWrong : kDone;
}

int compileProgram(const ProgramOptions& options, const program::RunRequest& request) {
  const Status compiled = program::compile(request);
  if (options.report.empty()) return compiled ? kDone : fail(compiled.error());
  if (compiled) return writeReport(options, lab::ProgramSummary());
  return writeReport(options, compiled.error());
}

/// The index of the GPU that runs the program, or -1 for the interpreter.
Result<int> gpuFor(const ProgramOptions& options) {
  // These options require the interpreter.
  const bool wantsInterpreter = options.check || options.counters || options.order != 0 ||
                                !options.as.empty() || options.launch != 0;
  if (options.device == "auto" && wantsInterpreter) return -1;
  const Result<lab::DeviceName> device = lab::DevicePool::resolve(options.device);
  if (!device) return device.error();
  if (device->kind == lab::DeviceName::Kind::recorded)
    return requestError("a recording runs no programs; use --device simt or cuda:N");
  if (device->kind == lab::DeviceName::Kind::simt) return -1;
  if (device->ordinal >= device::cudaCount()) {
    const Result<std::unique_ptr<device::Device>> none = device::openCuda(device->ordinal);
    if (!none) return none.error();
  }
  return static_cast<int>(device->ordinal);
}

}  // namespace

bool isProgram(const std::string& file) {
  if (!file.ends_with(".cu")) return false;
  const Result<std::string> text = readTextFile(file);
  return text && compile::isProgram(file, *text);
}

void addSourceOptions(Command& command, ProgramOptions& options) {
  command.option("-I", &options.includes, "A program's folder of headers",
                 {.type = "DIR", .oneWordEach = true});
  command.option("-D", &options.defines, "A program's macro",
                 {.type = "NAME[=V]", .oneWordEach = true});
  command.option("--std", &options.standard, "A program's C++ standard (c++17)", {.type = "STD"});
}

Result<program::RunRequest> requestFor(const ProgramOptions& options) {
  if (!options.worker.empty() && options.launch == 0)
    return requestError(
        "a program runs on this machine alone, so --worker does not apply; run "
        "Tilestep there instead: ssh host tilestep run " +
        options.files.front());
  const Result<int> gpu = options.launch != 0 ? Result<int>(-1) : gpuFor(options);
  if (!gpu) return gpu.error();
  const Result<std::filesystem::path> home = findHome();
  if (!home) return home.error();
  const Result<std::vector<lab::DeviceFile>> device =
      knownDevices({options.as.empty() ? program::kUsualDevice : options.as});
  if (!device) return device.error();
  compile::ProgramSource source;
  source.arguments = options.arguments;
  source.includes = options.includes;
  source.defines = options.defines;
  if (!options.standard.empty()) source.standard = options.standard;
  source.timeoutSeconds = options.timeoutSeconds;
  program::RunRequest request =
      program::requestOf(source, program::toolsIn(*home), device->front(), options.threads);
  request.sources.files = options.files;
  request.gpu = *gpu;
  request.timed = options.json;
  request.looked = options.check || options.counters;
  request.launches.check = options.check;
  request.launches.counters = options.counters;
  request.launches.order = options.order;
  request.launches.operation = options.operation;
  request.keepsOutput = options.json;
  request.printsAtOnce = !options.report.empty();
  return request;
}

int runProgram(const ProgramOptions& options) {
  Result<program::RunRequest> request = requestFor(options);
  if (!request) return fail(request.error());
  if (options.compileOnly) return compileProgram(options, *request);
  if (options.launch != 0) return runOneLaunch(options, *request);
  LaunchStatus shown;
  request->progress = [&](const program::LaunchProgress& now) { shown.show(now); };
  const Result<program::ProgramRun> run = program::run(*request, {});
  const bool isReported = !options.report.empty();
  if (!run) return isReported ? writeReport(options, run.error()) : fail(run.error());
  const lab::ProgramSummary summary = program::summaryOf(*run, options.check);
  if (isReported) return writeReport(options, summary);
  const int status = summary.faults() > 0 || run->timedOut ? kWrong : kDone;
  if (options.json) return print(programJson(*run, options.files.front()), status);
  std::string command = options.files.front();
  for (const std::string& word : options.arguments) command += " " + word;
  const bool couldCheck = !options.check && run->gpu < 0;
  std::fputs(programReport(summary, command, couldCheck).c_str(), stderr);
  if (!options.check) return run->signal != 0 ? 128 + run->signal : run->exitStatus;
  return status;
}

}  // namespace tilestep::app
