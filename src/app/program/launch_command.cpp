// SPDX-License-Identifier: Apache-2.0
#include "app/program/launch_command.h"

#include <fmt/format.h>

#include <memory>

#include "app/text_report.h"
#include "base/files.h"
#include "lab/lab.h"
#include "program/take_launch.h"

namespace tilestep::app {
namespace {

lab::Experiment experimentOf(const ProgramOptions& options, device::CapturedLaunch captured) {
  lab::Experiment experiment = options.experiment;
  experiment.source.path = options.files.front();
  if (Result<std::string> text = readTextFile(options.files.front()))
    experiment.source.text = std::move(*text);
  experiment.captured = std::make_shared<device::CapturedLaunch>(std::move(captured));
  if (experiment.device == "auto") experiment.device = "simt";
  return experiment;
}

/// Prints the inferred facts about the launch on standard error; with --json, the JSON contains
/// them.
void sayAssumed(const lab::RunResult& result) {
  for (const compile::Assumption& each : result.assumed)
    say("tilestep: " + each.what + ": " + each.value +
        (each.line == 0 ? "" : fmt::format(" (line {})", each.line)));
  if (!result.operation.empty()) say("tilestep: the launch seems to be a " + result.operation);
  if (!result.question.empty()) say("tilestep: " + result.question);
}

}  // namespace

int runOneLaunch(const ProgramOptions& options, program::RunRequest request) {
  Result<device::CapturedLaunch> captured =
      program::takeLaunch(std::move(request), options.launch, {});
  if (!captured) return fail(captured.error());
  const lab::Experiment experiment = experimentOf(options, std::move(*captured));
  Result<std::unique_ptr<worker::Client>> client = startWorker(options.launchWorker);
  if (!client) return fail(client.error());
  const auto answer = bodyOf<lab::ResultPointer>(await(**client, (*client)->run(experiment)));
  if (!answer) return fail(answer.error());
  const lab::ResultPointer& result = *answer;
  const int status = result->clean() ? kDone : kWrong;
  if (options.json) return print(lab::toJson(*result), status);
  sayAssumed(*result);
  return print(textReport(*result), status);
}

}  // namespace tilestep::app
