// SPDX-License-Identifier: Apache-2.0
#include "app/program/launch_command.h"

#include <fmt/format.h>

#include <memory>

#include "app/text_report.h"
#include "base/files.h"
#include "lab/lab.h"

namespace tilestep::app {
namespace {

using program::ProgramRun;

/// Why there is no such launch.
Error noLaunch(const ProgramRun& run, uint64_t number) {
  if (number <= run.launches.size()) {
    const program::LaunchRecord& launch = run.launches[number - 1];
    const std::string why = launch.refusal.empty() ? "it did not run" : launch.refusal;
    return requestError(
        fmt::format("launch {}, of {}, cannot be taken: {}", number, launch.kernel, why));
  }
  const size_t count = run.launches.size();
  const std::string ended = run.timedOut ? " before its limit of time (--timeout SECONDS)" : "";
  if (count == 0) return requestError("the program launches no kernel" + ended);
  return requestError(fmt::format("the program has {} launch{}{}, so that --launch takes 1{}",
                                  count, count == 1 ? "" : "es", ended,
                                  count == 1 ? "" : fmt::format(" to {}", count)));
}

/// What is asked of the launch, as an experiment.
lab::Experiment experimentOf(const ProgramOptions& options, device::CapturedLaunch captured) {
  lab::Experiment experiment = options.experiment;
  experiment.source.path = options.files.front();
  if (Result<std::string> text = readTextFile(options.files.front()))
    experiment.source.text = std::move(*text);
  experiment.captured = std::make_shared<device::CapturedLaunch>(std::move(captured));
  if (experiment.device == "auto") experiment.device = "simt";
  return experiment;
}

/// On standard error, since JSON has it: what is not known of the launch, but inferred.
void sayAssumed(const lab::RunResult& result) {
  for (const compile::Assumption& each : result.assumed)
    say("tilestep: " + each.what + ": " + each.value +
        (each.line == 0 ? "" : fmt::format(" (line {})", each.line)));
  if (!result.operation.empty()) say("tilestep: the launch seems to be a " + result.operation);
  if (!result.question.empty()) say("tilestep: " + result.question);
}

}  // namespace

Result<device::CapturedLaunch> captureLaunch(const ProgramOptions& options,
                                             program::RunRequest request) {
  request.launches.check = request.launches.counters = false;
  request.launches.operation.clear();
  request.launches.capture = options.launch;
  request.keepsOutput = true;
  const Result<ProgramRun> run = program::run(request, {});
  if (!run) return run.error();
  if (run->captured == nullptr) return noLaunch(*run, options.launch);
  device::CapturedLaunch captured = *run->captured;
  captured.program = options.files.front();
  const size_t space = run->compiler.find(' ');
  captured.compiler = run->compiler.substr(0, space);
  if (space != std::string::npos) captured.version = run->compiler.substr(space + 1);
  return captured;
}

int runOneLaunch(const ProgramOptions& options, program::RunRequest request) {
  Result<device::CapturedLaunch> captured = captureLaunch(options, std::move(request));
  if (!captured) return fail(captured.error());
  if (!captured->hasContents)
    return fail(workError(
        fmt::format("launch {} has more than 1 GiB of memory; make the program's data smaller",
                    options.launch)));
  const lab::Experiment experiment = experimentOf(options, std::move(*captured));
  Result<std::unique_ptr<worker::Client>> client = startWorker(options.launchWorker);
  if (!client) return fail(client.error());
  const Result<lab::RunResult> result =
      bodyOf<lab::RunResult>(await(**client, (*client)->run(experiment)));
  if (!result) return fail(result.error());
  const int status = result->clean() ? kDone : kWrong;
  if (options.json) return print(lab::toJson(*result), status);
  sayAssumed(*result);
  return print(textReport(*result), status);
}

}  // namespace tilestep::app
