// SPDX-License-Identifier: Apache-2.0
#include "model/best_known.h"

#include <algorithm>
#include <utility>

#include "lab/recording/recording.h"
#include "lab/recording/recording_file.h"

namespace tilestep::model {
namespace {

std::vector<TimedRun> timesOf(const std::string& file, const std::string& id) {
  std::vector<TimedRun> runs;
  const Result<lab::DeviceRecording> recording = lab::readRecording(file);
  if (!recording) return runs;
  for (const lab::RecordedPoint& point : recording->points) {
    if (!point.measurement) continue;
    device::DeviceInfo device = lab::deviceOf(*recording, &point);
    device.id = id;
    const lab::RecordedKernel& kernel = recording->kernels[point.kernel];
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

BestKnown::~BestKnown() {
  if (thread_.joinable()) thread_.join();
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

void BestKnown::read(const std::string& file, const std::string& device) {
  if (std::ranges::find(files_, file) != files_.end()) return;
  files_.push_back(file);
  waiting_.push_back({file, device});
  readNext();
}

void BestKnown::readNext() {
  if (thread_.joinable() || waiting_.empty()) return;
  const auto [file, device] = waiting_.front();
  waiting_.erase(waiting_.begin());
  done_ = false;
  thread_ = std::thread([this, file = file, device = device] {
    read_ = timesOf(file, device);
    done_ = true;
  });
}

bool BestKnown::arrived() {
  if (!thread_.joinable() || !done_) return false;
  thread_.join();
  for (const TimedRun& run : read_) recorded_.insert({run.machine.device, run.kernel, run.code});
  runs_.insert(runs_.end(), std::make_move_iterator(read_.begin()),
               std::make_move_iterator(read_.end()));
  read_.clear();
  readNext();
  return true;
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
