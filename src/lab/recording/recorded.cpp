// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recorded.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/library_product.h"
#include "lab/job.h"
#include "lab/recording/recording_file.h"
#include "ptx/analysis/copies.h"
#include "simt/program.h"

namespace tilestep::lab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSuffix = ".tsrec";

/// `arch` is the kernel's target, because the recording names one target for all kernels.
void addMachineCode(const DeviceRecording& recording, const RecordedPoint& point,
                    const std::string& arch, RunResult& result) {
  if (!isLibraryProduct(result.kernel)) {  // Libraries are not compiled.
    result.compiler = recording.compiler;
    result.compiler.arch = arch;
    result.compiler.ms = point.compileMs;
  }
  result.registers = point.registers;
  result.localBytes = point.localBytes;
  result.sharedBytes = point.sharedBytes;
  result.machine = point.machineCode;
}

/// Adds the timeline, or the reason why there is none and the nearest point that has one.
void addTimeline(const Experiment& experiment, const Lookup& found, RunResult& result) {
  const RecordedPoint* point = found.point;
  result.timelineNote.clear();
  if (point != nullptr) {
    result.timeline = point->timeline;
    result.timelineNote = point->timelineNote;
  }
  if (result.timeline) return;
  const Nearest& nearest = found.nearestTimeline;
  if (result.timelineNote.empty())
    result.timelineNote = "The recording holds no timeline of this point.";
  if (!nearest.known) return;
  result.timelineNote +=
      " Nearest recorded timeline: " + pointText(nearest.sizes, nearest.tunables) + ".";
  // If a measurement is requested, its nearest point takes precedence.
  if (!experiment.measure) result.nearest = nearest;
}

void addTimings(const RecordedPoint* point, RunResult& result) {
  result.timingsNote.clear();
  if (point != nullptr) result.timings = point->timings;
  if (result.timings.empty())
    result.timingsNote =
        "The recording does not hold this launch timed in several ways; on a GPU, tilestep record "
        "--labs records the launches of the labs in this way.";
}

void addHardware(const RecordedPoint* point, RunResult& result) {
  result.hardware = point != nullptr ? point->hardware : std::nullopt;
  if (result.hardware) return;
  result.hardware.emplace().refused = "The recording holds no hardware counters of this point.";
}

void addCounters(const RecordedCounters& counters, RunResult& result) {
  result.counters = gridCountersOf(counters);
  result.countingOverhead = counters.price;
}

/// The machine that measured `point`, with its own ceilings if known.
void addMachine(const DeviceRecording& recording, const RecordedPoint* point, RunResult& result) {
  result.device = deviceOf(recording, point);
  if (const auto* own = point != nullptr ? ceilingsOf(recording, point->machine) : nullptr)
    result.machineCeilings = *own;
}

void addMeasurement(const device::Measurement& measurement, RunResult& result) {
  result.measurement = measurement;
  result.measurement->recorded = true;
}

}  // namespace

void namePhases(const compile::KernelSpec& spec, RunResult& result) {
  if (!result.timeline) return;
  trace::Timeline& timeline = *result.timeline;
  timeline.phases = static_cast<uint32_t>(std::max<int64_t>(result.plan.phases, 0));
  timeline.epochsPerPhase = static_cast<uint32_t>(std::max(spec.epochsPerPhase, 0));
  timeline.epochsBefore = static_cast<uint32_t>(std::max(spec.epochsBefore, 0));
}

uint32_t sharedBytesOf(const compile::Plan& plan, const ptx::Module& module) {
  uint32_t most = 0;
  for (const Launch& launch : plan.launches) {
    uint32_t bytes = launch.dynamicSharedBytes;
    if (const ptx::Function* entry = module.find(launch.entry))
      bytes += simt::Symbols(module, *entry, {}).sharedBytes;
    most = std::max(most, bytes);
  }
  return most;
}

RecordedDevice::RecordedDevice(DeviceRecording recording, const std::string& id,
                               device::Device& simt)
    : recording_(std::move(recording)), simt_(simt) {
  recording_.device.id = id;
  recording_.device.measures = true;
}

Result<device::Outcome> RecordedDevice::run(const device::Job& job,
                                            const device::Cancelled& cancelled) {
  return simt_.run(job, cancelled);
}

std::string recordingFile(const std::string& home, const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(kSuffix)) return name;
  return (fs::path(home) / "assets" / "recordings" / (name + kSuffix)).string();
}

std::vector<device::DeviceInfo> recordedDevices(const std::string& home) {
  std::vector<device::DeviceInfo> infos;
  for (const fs::path& file : filesIn(fs::path(home) / "assets" / "recordings", kSuffix)) {
    Result<DeviceRecording> header = readRecordingHeader(file.string());
    if (!header) continue;
    header->device.id = "recorded:" + file.stem().string();
    infos.push_back(std::move(header->device));
  }
  std::ranges::sort(infos, {}, &device::DeviceInfo::id);
  return infos;
}

bool leaveToInterpreter(const Experiment& experiment, const Lookup& found, device::Job& job) {
  const bool counted = found.point != nullptr && found.point->counters;
  job.counters = experiment.counters && !counted && !experiment.onlyRecorded;
  job.measure = job.timeline = job.timings = job.hardware = false;
  job.outputs = job.check || experiment.pictureSide > 0;
  return job.counters || job.outputs;
}

void addRecorded(const Experiment& experiment, const DeviceRecording& recording,
                 const Lookup& found, const ptx::Module& module, RunResult& result) {
  const RecordedPoint* point = found.point;
  addMachine(recording, point, result);
  const bool ran = result.check || result.nothingToCompare || !result.pictures.empty();
  if (point != nullptr) {
    addMachineCode(recording, *point, std::string(result.compiler.arch), result);
    if (!ran) result.outputHash = point->outputHash;
  } else {
    result.sharedBytes = sharedBytesOf(result.plan, module);
    if (!ran) result.outputHash = 0;
  }
  // After a stopped launch, the counts do not cover the whole grid.
  if (!result.faults.empty()) result.counters.reset();
  if (result.counters) {
    result.countersFrom = "simt";
  } else if (experiment.counters && point != nullptr && point->counters) {
    addCounters(*point->counters, result);
    result.asyncCopies |= !point->counters->copies && ptx::copiesAsynchronously(module);
  }
  if (experiment.timeline) addTimeline(experiment, found, result);
  if (experiment.timings) addTimings(point, result);
  if (experiment.hardware) addHardware(point, result);
  if (!experiment.measure) return;
  if (point != nullptr && point->measurement)
    addMeasurement(*point->measurement, result);
  else
    result.nearest = found.nearest;
}

Result<RunResult> recordedResult(const DeviceRecording& recording,
                                 const compile::KernelSource& source,
                                 const compile::Bindings& sizes,
                                 const compile::Bindings& tunables) {
  const Result<compile::KernelSpec> spec = compile::parseKernel(source);
  if (!spec) return spec.error();
  Result<compile::Plan> plan = compile::plan(*spec, sizes, tunables, recording.device.limits);
  if (!plan) return plan.error();
  const Lookup found = lookUp(recording, *spec, codeHashOf(source), *plan, recording.seed);
  if (found.point == nullptr) return workError(nearestText(found.nearest));
  RunResult result;
  result.kernel = spec->name;
  result.source = source.path;
  addMachine(recording, found.point, result);
  result.plan = std::move(plan).value();
  const Result<std::string> arch = archFor(*spec, recording.device);
  if (!arch) return arch.error();
  addMachineCode(recording, *found.point, *arch, result);
  result.outputHash = found.point->outputHash;
  if (found.point->counters) {
    addCounters(*found.point->counters, result);
    result.asyncCopies = !found.point->counters->copies && hasAsyncCopies(*arch);
  }
  if (found.point->measurement) addMeasurement(*found.point->measurement, result);
  addTimeline({}, found, result);
  result.timings = found.point->timings;
  namePhases(*spec, result);
  addHardware(found.point, result);
  return result;
}

}  // namespace tilestep::lab
