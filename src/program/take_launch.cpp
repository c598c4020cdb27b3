// SPDX-License-Identifier: Apache-2.0
#include "program/take_launch.h"

#include <fmt/format.h>

namespace tilestep::program {
namespace {

/// Why there is no such launch.
Error noLaunch(const ProgramRun& run, uint64_t number) {
  if (number <= run.launches.size()) {
    const LaunchRecord& launch = run.launches[number - 1];
    const std::string why = launch.refusal.empty() ? "it did not run" : launch.refusal;
    return requestError(
        fmt::format("launch {} ({}) cannot be captured: {}", number, launch.kernel, why));
  }
  const size_t count = run.launches.size();
  const std::string ended = run.timedOut ? " before its time limit (--timeout SECONDS)" : "";
  if (count == 0) return requestError("the program launches no kernel" + ended);
  return requestError(fmt::format("the program has {} launch{}{}, so --launch must be 1{}", count,
                                  count == 1 ? "" : "es", ended,
                                  count == 1 ? "" : fmt::format(" to {}", count)));
}

}  // namespace

Result<device::CapturedLaunch> takeLaunch(RunRequest request, uint64_t number,
                                          const std::function<bool()>& cancelled) {
  request.launches.check = request.launches.counters = false;
  request.launches.operation.clear();
  request.launches.capture = number;
  request.keepsOutput = true;
  const Result<ProgramRun> run = program::run(request, cancelled);
  if (!run) return run.error();
  if (run->captured == nullptr) return noLaunch(*run, number);
  if (!run->captured->hasContents)
    return workError(fmt::format(
        "launch {} has more than 1 GiB of memory; make the program's data smaller", number));
  device::CapturedLaunch captured = *run->captured;
  captured.program = request.sources.files.front();
  const size_t space = run->compiler.find(' ');
  captured.compiler = run->compiler.substr(0, space);
  if (space != std::string::npos) captured.version = run->compiler.substr(space + 1);
  return captured;
}

}  // namespace tilestep::program
