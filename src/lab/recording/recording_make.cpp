// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_make.h"

#include <algorithm>
#include <utility>

#include "base/library_product.h"
#include "base/utc.h"
#include "compile/front_matter/tunable_values.h"

namespace tilestep::lab {
namespace {

constexpr int64_t kMostValues = 64;
/// The most epochs of a stored timeline, summed over its blocks.
constexpr size_t kMostEpochCells = 256;

constexpr const char* kMethod =
    "Each point was measured alone on the GPU. Times are medians of means of back-to-back runs of "
    "the plain kernel with warm caches; runs at a lowered clock were discarded. Counters come from "
    "the kernel with counting code added, timelines from the kernel with clock reads added. "
    "Hardware counters come from replayed passes of the plain kernel with cold caches.";

std::vector<std::string> namesOf(const compile::Bindings& bindings) {
  std::vector<std::string> names;
  for (const auto& [name, value] : bindings) names.push_back(name);
  return names;
}

/// Keeps the epochs of only every epochStep-th block, if all of them would be too many.
void thin(trace::Timeline& timeline) {
  if (timeline.epochs == 0) return;
  const size_t rows = timeline.rows();
  if (rows * timeline.epochs <= kMostEpochCells) return;
  const size_t kept = std::max<size_t>(1, kMostEpochCells / timeline.epochs);
  const size_t step = (rows + kept - 1) / kept;
  std::vector<uint32_t> busy, wait;
  for (size_t row = 0; row < rows; row += step) {
    const auto from = static_cast<std::ptrdiff_t>(row * timeline.epochs);
    const auto to = from + static_cast<std::ptrdiff_t>(timeline.epochs);
    busy.insert(busy.end(), timeline.epochBusy.begin() + from, timeline.epochBusy.begin() + to);
    wait.insert(wait.end(), timeline.epochWait.begin() + from, timeline.epochWait.begin() + to);
  }
  timeline.epochStep *= static_cast<uint32_t>(step);
  timeline.epochBusy = std::move(busy);
  timeline.epochWait = std::move(wait);
}

RecordedCounters packed(const trace::GridCounters& counters, std::optional<double> price) {
  return {counters.total, packEpochs(counters.epochs), counters.epochsTruncated, true, price};
}

}  // namespace

std::vector<int64_t> usualValues(const compile::TunableSpec& tunable) {
  if (!tunable.values.empty() || compile::valueCount(tunable) <= kMostValues)
    return compile::allValues(tunable);
  std::vector<int64_t> values = compile::doublings(tunable);
  if (values.empty()) values.push_back(tunable.defaultValue);
  return values;
}

DeviceRecording beginRecording(const device::DeviceInfo& device, const std::string& program,
                               int64_t now) {
  DeviceRecording recording;
  recording.device = device;
  recording.device.place.clear();  // The slot of the GPU is not recorded.
  recording.device.identity.clear();
  recording.began = recording.ended = utcText(now);
  recording.device.recordedOn = recording.began.substr(0, 10);
  recording.program = program;
  recording.method = kMethod;
  return recording;
}

uint32_t joinMachines(DeviceRecording& recording, const device::DeviceInfo& device, int64_t now) {
  const auto at = std::ranges::find_if(recording.machines, [&](const RecordedMachine& one) {
    return !one.identity.empty() && one.identity == device.identity && one.driver == device.driver;
  });
  if (at != recording.machines.end())
    return static_cast<uint32_t>(at - recording.machines.begin()) + 1;
  const auto last = static_cast<uint32_t>(recording.machines.size());
  const bool idle =
      last > 0 && recording.machines.back().identity.empty() &&
      std::ranges::find(recording.points, last, &RecordedPoint::machine) == recording.points.end();
  if (idle) recording.machines.pop_back();
  recording.machines.push_back({device.name, device.identity, device.driver, utcText(now), {}});
  return static_cast<uint32_t>(recording.machines.size());
}

void dropKernel(DeviceRecording& recording, const std::string& kernel) {
  const auto at = std::ranges::find(recording.kernels, kernel, &RecordedKernel::name);
  if (at == recording.kernels.end()) return;
  const auto index = static_cast<uint32_t>(at - recording.kernels.begin());
  std::erase_if(recording.points, [&](const RecordedPoint& one) { return one.kernel == index; });
  for (RecordedPoint& point : recording.points) point.kernel -= point.kernel > index ? 1 : 0;
  recording.kernels.erase(at);
}

Result<uint32_t> addKernel(DeviceRecording& recording, const compile::KernelSource& source,
                           const compile::KernelSpec& spec) {
  const uint64_t code = codeHashOf(source);
  const auto at = std::ranges::find(recording.kernels, spec.name, &RecordedKernel::name);
  if (at != recording.kernels.end() && at->codeHash != code) {
    return requestError("the recording holds a different source of " + spec.name +
                        "; record into a new file, restore the old source, or use --replace to "
                        "drop the points of this kernel");
  }
  const auto index = static_cast<uint32_t>(at - recording.kernels.begin());
  compile::Bindings tunables;
  for (const compile::TunableSpec& tunable : spec.tunables) tunables[tunable.name] = 0;
  RecordedKernel kernel{spec.name, code, namesOf(spec.sizes), namesOf(tunables)};
  if (at == recording.kernels.end()) {
    recording.kernels.push_back(std::move(kernel));
    return index;
  }
  const auto isOther = [&](const RecordedPoint& point) {
    return point.kernel == index && !isPointOf(recording, point, spec, code);
  };
  if (*at != kernel || std::ranges::any_of(recording.points, isOther))
    return requestError(
        "the recording holds " + spec.name +
        " with different sizes, tunables or launches, because its front matter has "
        "changed; record into a new file, or use --replace to drop the points of this kernel");
  return index;
}

Experiment recordingExperiment(const compile::KernelSource& source, const compile::Plan& plan,
                               uint64_t timelineBlocks) {
  Experiment experiment;
  experiment.source = source;
  experiment.sizes = plan.sizes;
  experiment.tunables = plan.tunables;
  experiment.counters = experiment.measure = experiment.hardware = true;
  experiment.timeline =
      plan.launches.size() == 1 && plan.launches.front().grid.count() <= timelineBlocks;
  return experiment;
}

Status addPoint(DeviceRecording& recording, PointPlace place, const RunResult& result,
                int64_t now) {
  for (const device::Fault& fault : result.faults)
    if (fault.kind != "time-limit") return workError(fault.kind + ": " + fault.message);
  if (result.check && !result.check->ok) return workError("its result is wrong");
  if (!result.measurement || result.measurement->recorded) return workError("it was not measured");
  CompilerInfo& compiler = recording.compiler;
  const bool library = isLibraryProduct(result.kernel);  // Libraries are not compiled.
  if (compiler.name.empty() && !library)
    compiler = {result.compiler.name, result.compiler.version, result.compiler.arch};
  const bool same =
      compiler.name == result.compiler.name && compiler.version == result.compiler.version;
  if (!library && !same)
    return workError("it was compiled by " + result.compiler.name + " " + result.compiler.version +
                     ", and the recording by " + compiler.name + " " + compiler.version);
  RecordedPoint point;
  point.kernel = place.kernel;
  point.machine = place.machine;
  point.sizes = result.plan.sizes;
  point.tunables = result.plan.tunables;
  point.launchHash = launchHashOf(result.plan);
  point.outputHash = result.outputHash;
  point.unixSeconds = now;
  point.compileMs = result.compiler.ms;
  point.sharedBytes = result.sharedBytes;
  point.registers = result.registers;
  point.localBytes = result.localBytes;
  point.machineCode = result.machine;
  point.measurement = result.measurement;
  if (result.counters) point.counters = packed(*result.counters, result.countingOverhead);
  if (result.hardware && result.hardware->refused.empty()) point.hardware = result.hardware;
  point.timeline = result.timeline;
  point.timelineNote = result.timelineNote;
  point.timings = result.timings;
  if (point.timeline) thin(*point.timeline);
  if (!point.timeline && point.timelineNote.empty())
    point.timelineNote = "No timeline of this point was recorded, because it has too many blocks.";
  std::erase_if(recording.points, [&](const RecordedPoint& one) {
    return one.kernel == point.kernel && one.sizes == point.sizes && one.tunables == point.tunables;
  });
  recording.points.push_back(std::move(point));
  recording.ended = utcText(now);
  return {};
}

void thinTimelines(DeviceRecording& recording) {
  for (RecordedPoint& point : recording.points)
    if (point.timeline) thin(*point.timeline);
}

Status mayGoOn(const DeviceRecording& recording, const device::DeviceInfo& device) {
  const auto differs = [](const std::string& was, const std::string& is) {
    return requestError("the recording was begun " + was + ", but this GPU " + is +
                        "; their figures cannot be compared, so record into a new file");
  };
  const device::DeviceInfo& was = recording.device;
  if (was.name != device.name) return differs("on a GPU " + was.name, "is " + device.name);
  if (was.computeCapability != device.computeCapability) {
    return differs("on a GPU of compute capability " + was.computeCapability.value_or("unknown"),
                   "has " + device.computeCapability.value_or("an unknown one"));
  }
  struct Fact {
    const char* name;
    uint64_t was, is;
  };
  for (const Fact& fact : {Fact{"multiprocessors", was.multiprocessors, device.multiprocessors},
                           {"bytes of L2", was.l2Bytes, device.l2Bytes},
                           {"bytes of shared memory per block", was.limits.sharedBytesPerBlockOptIn,
                            device.limits.sharedBytesPerBlockOptIn}}) {
    if (fact.was != fact.is)
      return differs("on a GPU with " + std::to_string(fact.was) + " " + fact.name,
                     "has " + std::to_string(fact.is));
  }
  if (was.driver != device.driver)
    return differs("with the driver " + was.driver, "has the driver " + device.driver);
  return {};
}

}  // namespace tilestep::lab
