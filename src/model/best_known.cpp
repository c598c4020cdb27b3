// SPDX-License-Identifier: Apache-2.0
#include "model/best_known.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"

namespace tilestep::model {
namespace {

constexpr std::string_view kRecorded = "recorded:";

std::vector<TimedRun> timesOf(const lab::DeviceRecording& recording, const std::string& id) {
  std::vector<TimedRun> runs;
  for (const lab::RecordedPoint& point : recording.points) {
    if (!point.measurement) continue;
    device::DeviceInfo device = lab::deviceOf(recording, &point);
    device.id = id;
    const lab::RecordedKernel& kernel = recording.kernels[point.kernel];
    runs.push_back({kernel.name, kernel.codeHash, point.launchHash, point.sizes, point.tunables,
                    point.measurement->medianMs, machineOf(device), device.recordedOn});
  }
  return runs;
}

}  // namespace

bool isRunOf(const TimedRun& run, const compile::CatalogueEntry& entry, const Limits& limits) {
  if (!entry.spec || run.kernel != entry.spec->name || run.code != lab::codeHashOf(entry.source))
    return false;
  return lab::launchHashOf(*entry.spec, run.sizes, run.tunables, limits) == run.launch;
}

void BestKnown::take(const lab::RunResult& result, const compile::CatalogueEntry* entry) {
  if (!result.measurement || !result.clean() || entry == nullptr) return;
  take({result.kernel, lab::codeHashOf(entry->source), lab::launchHashOf(result.plan),
        result.plan.sizes, result.plan.tunables, result.measurement->medianMs,
        machineOf(result.device), result.device.recordedOn});
}

void BestKnown::take(TimedRun run) {
  const auto same = std::ranges::find_if(runs_, [&](const TimedRun& one) {
    return one.kernel == run.kernel && one.code == run.code && one.launch == run.launch &&
           one.sizes == run.sizes && one.tunables == run.tunables && one.machine == run.machine &&
           one.day == run.day;
  });
  if (same == runs_.end())
    runs_.push_back(std::move(run));
  else if (run.medianMs < same->medianMs)
    *same = std::move(run);
}

void BestKnown::read(const std::string& home, const std::string& device) {
  if (!device.starts_with(kRecorded) || recordings_.contains(device)) return;
  const std::string file = lab::recordingFile(home, device.substr(kRecorded.size()));
  recordings_[device].coming = std::async(std::launch::async, [file, device]() -> Read {
    Result<lab::DeviceRecording> recording = lab::readRecording(file);
    if (!recording) return {};
    std::vector<TimedRun> runs = timesOf(*recording, device);
    return {std::make_shared<const lab::DeviceRecording>(std::move(*recording)), std::move(runs)};
  });
}

bool BestKnown::arrived() {
  using namespace std::chrono_literals;
  bool any = false;
  for (auto& [device, kept] : recordings_) {
    if (!kept.coming.valid() || kept.coming.wait_for(0s) != std::future_status::ready) continue;
    any = true;
    Read read = kept.coming.get();
    kept.recording = std::move(read.recording);
    for (const TimedRun& run : read.runs) recorded_.insert({device, run.kernel, run.code});
    std::ranges::move(read.runs, std::back_inserter(runs_));
  }
  return any;
}

bool BestKnown::reading() const {
  return std::ranges::any_of(recordings_,
                             [](const auto& one) { return one.second.coming.valid(); });
}

bool BestKnown::isReading(const std::string& device) const {
  const auto at = recordings_.find(device);
  return at != recordings_.end() && at->second.coming.valid();
}

RecordingPointer BestKnown::recording(const std::string& device) const {
  const auto at = recordings_.find(device);
  return at == recordings_.end() ? nullptr : at->second.recording;
}

std::optional<TimedRun> BestKnown::fastest(
    const compile::Bindings& sizes, const std::string& deviceName,
    const std::function<bool(const TimedRun& run)>& counts) const {
  const TimedRun* best = nullptr;
  for (const TimedRun& run : runs_) {
    if (run.machine.name != deviceName || run.sizes != sizes) continue;
    if (best != nullptr && best->medianMs <= run.medianMs) continue;
    if (counts(run)) best = &run;
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::vector<const TimedRun*> BestKnown::runsOf(const compile::CatalogueEntry& entry,
                                               const compile::Bindings& sizes,
                                               const device::DeviceInfo& device) const {
  std::vector<const TimedRun*> runs;
  for (const TimedRun& run : runs_)
    if (run.sizes == sizes && run.machine.name == device.name && isRunOf(run, entry, device.limits))
      runs.push_back(&run);
  return runs;
}

}  // namespace tilestep::model
