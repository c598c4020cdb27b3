// SPDX-License-Identifier: Apache-2.0
#include "worker/program_launches.h"

#include <algorithm>

#include "base/files.h"
#include "lab/launch/given_data.h"
#include "program/request.h"
#include "program/take_launch.h"

namespace tilestep::worker {

Result<lab::Experiment> ProgramLaunches::withLaunch(lab::Experiment experiment,
                                                    const device::Cancelled& cancelled,
                                                    const lab::Lab::Progress& progress) {
  if (experiment.dataOf) {
    const compile::KernelSource& source = *experiment.dataOf;
    if (!source.launch) return requestError("the experiment's data belongs to no launch");
    const Result<Pointer> from = take(*source.launch, source.text, cancelled, progress);
    if (!from) return from.error();
    auto data = lab::dataOfLaunch(**from);
    if (!data) return data.error();
    experiment.data = std::move(*data);
  }
  const std::shared_ptr<const compile::ProgramLaunch> launch = experiment.source.launch;
  if (launch == nullptr) return experiment;
  Result<Pointer> taken = take(*launch, experiment.source.text, cancelled, progress);
  if (!taken) return taken.error();
  experiment.captured = std::move(*taken);
  if (launch->order != 0) experiment.order = launch->order;
  return experiment;
}

Result<ProgramLaunches::Pointer> ProgramLaunches::take(const compile::ProgramLaunch& launch,
                                                       const std::string& text,
                                                       const device::Cancelled& cancelled,
                                                       const lab::Lab::Progress& progress) {
  const auto known = std::ranges::find_if(kept_, [&](const Kept& each) {
    return each.launch.program == launch.program && each.launch.number == launch.number &&
           each.launch.run == launch.run && each.text == text;
  });
  if (known != kept_.end()) return known->captured;
  const Result<std::string> now = readTextFile(launch.program.path);
  if (!now)
    return requestError("the worker cannot read " + launch.program.path +
                        ". It runs a program on its own machine; with --worker, the file must be "
                        "there at the same path");
  if (*now != text) return requestError(launch.program.path + " has changed in the meantime");
  const Result<lab::DeviceFile> device =
      lab::readDeviceFile(options_.home + "/assets/devices/" + program::kUsualDevice + ".toml");
  if (!device) return device.error();
  if (progress) progress({"running the program up to launch " + std::to_string(launch.number)});
  program::Tools tools = program::toolsIn(options_.home);
  tools.cache = options_.cacheFolder;
  Result<device::CapturedLaunch> captured = program::takeLaunch(
      program::requestOf(launch.program, tools, *device, options_.interpreterThreads),
      launch.number, cancelled);
  if (!captured) return captured.error();
  auto shared = std::make_shared<const device::CapturedLaunch>(std::move(*captured));
  keep({launch, text, shared});
  return shared;
}

void ProgramLaunches::keep(Kept kept) {
  constexpr size_t kMost = 4;
  constexpr uint64_t kMostBytes = uint64_t{1} << 30;
  kept_.push_back(std::move(kept));
  const auto bytes = [this] {
    uint64_t all = 0;
    for (const Kept& each : kept_) all += each.captured->memoryBytes();
    return all;
  };
  while (kept_.size() > 1 && (kept_.size() > kMost || bytes() > kMostBytes)) kept_.pop_front();
}

}  // namespace tilestep::worker
