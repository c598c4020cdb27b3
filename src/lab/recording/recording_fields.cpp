// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_fields.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "base/nearest_name.h"
#include "lab/describe.h"
#include "lab/recording/recording_file.h"

namespace tilestep::lab {
namespace {

constexpr size_t kMostNames = 64, kMostKernels = 1024, kMostMachines = 1024;
constexpr int64_t kMostValue = std::numeric_limits<int32_t>::max();  // As for front matter's sizes.
constexpr int64_t kLastSecond = 253402300799;                        // The end of the year 9999.
/// Repeated epochs take no space in a file, but take time to unpack.
constexpr uint64_t kMostEpochs = uint64_t{1} << 24;

/// "2026-11-21T12:30:00Z"
bool isTime(const std::string& text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  return text.size() == kForm.size() && std::ranges::equal(text, kForm, [](char c, char form) {
           return form == '0' ? c >= '0' && c <= '9' : c == form;
         });
}

void describeTime(Archive& io, Archive::Key key, std::string& value) {
  io(key, value);
  io.check(isTime(value), key, std::string(key) + " is not a time such as 2026-11-21T12:30:00Z");
}

void describe(Archive& io, RecordedMachine& machine) {
  io("name", machine.name);
  io("identity", machine.identity);
  io("driver", machine.driver);
  describeTime(io, "began", machine.began);
  io("ceilings", machine.ceilings);
}

void describe(Archive& io, RecordedKernel& kernel) {
  io("name", kernel.name);
  io("codeHash", kernel.codeHash);
  for (auto [key, names] : {std::pair("sizes", &kernel.sizes), {"tunables", &kernel.tunables}}) {
    io(key, *names);
    io.check(names->size() <= kMostNames && std::ranges::all_of(*names, isIdentifier), key,
             std::string(key) + " is not a list of at most 64 names");
  }
}

/// Values in the order of `names`.
void describeValues(Archive& io, Archive::Key key, const std::vector<std::string>& names,
                    compile::Bindings& values, int64_t least) {
  std::vector<int64_t> column;
  for (const std::string& name : names) column.push_back(values[name]);
  io(key, column);
  if (!io.reads()) return;
  io.check(column.size() == names.size(), key, "name count and value count differ");
  for (size_t i = 0; i < names.size() && io.good(); ++i) {
    io.check(column[i] >= least && column[i] <= kMostValue, key, names[i] + " is out of range");
    values[names[i]] = column[i];
  }
}

void describePoint(Archive& io, RecordedPoint& point, const DeviceRecording& recording) {
  if (!io.reads() || !recording.kernels.empty())
    io("kernel", point.kernel, 0, static_cast<int64_t>(recording.kernels.size()) - 1);
  io.check(!recording.kernels.empty(), "kernel", "there are points without a kernel");
  if (!io.good()) return;
  const RecordedKernel& kernel = recording.kernels[point.kernel];
  describeValues(io, "sizes", kernel.sizes, point.sizes, 1);
  describeValues(io, "tunables", kernel.tunables, point.tunables, -kMostValue);
  io("machine", point.machine, 0, static_cast<int64_t>(recording.machines.size()));
  io("launchHash", point.launchHash);
  io("outputHash", point.outputHash);
  io("unixSeconds", point.unixSeconds, 0, kLastSecond);
  io("compileMs", point.compileMs, 0.0, 1e12);
  io("sharedBytes", point.sharedBytes);
  io("registers", point.registers);
  io("localBytes", point.localBytes);
  io("machineCode", point.machineCode);
  io("measurement", point.measurement);
  io("counters", point.counters);
  io("hardware", point.hardware);
  io("timeline", point.timeline);
  io("timelineNote", point.timelineNote);
  io("timings", point.timings, device::NamedValue::kMost);
}

/// Checks the properties that loops and sums over epochs rely on.
Status checkEpochs(const RecordedPoint& point, uint64_t& unpacked) {
  if (!point.counters) return {};
  const auto epochs = unpackEpochs(point.counters->epochs);
  if (!epochs) return epochs.error();
  unpacked += epochs->size();
  if (unpacked > kMostEpochs)
    return workError("the points so far have more than " + std::to_string(kMostEpochs) + " epochs");
  trace::Counters sum;
  for (const trace::Counters& epoch : *epochs) sum += epoch;
  if (!epochs->empty() && sum != point.counters->total)
    return workError("its epochs do not add up to their total");
  return {};
}

void checkPoints(Archive& io, const DeviceRecording& recording) {
  const auto isBefore = [](const RecordedPoint* a, const RecordedPoint* b) {
    return std::tie(a->kernel, a->sizes, a->tunables) < std::tie(b->kernel, b->sizes, b->tunables);
  };
  std::set<const RecordedPoint*, decltype(isBefore)> seen(isBefore);
  uint64_t unpacked = 0;
  for (const RecordedPoint& point : recording.points) {
    const std::string where = recording.kernels[point.kernel].name + " at " +
                              pointText(point.sizes, point.tunables) + ": ";
    const Status epochs = checkEpochs(point, unpacked);
    io.check(epochs.ok(), "points", where + (epochs ? "" : epochs.error().message));
    io.check(seen.insert(&point).second, "points", where + "duplicate point");
    if (!io.good()) return;
  }
}

void completeCeilings(std::optional<device::Ceilings>& ceilings, const std::string& device) {
  if (!ceilings) return;
  ceilings->device = device;
  ceilings->measured = true;
}

/// Sets the derived fields.
void complete(DeviceRecording& recording) {
  device::DeviceInfo& device = recording.device;
  device.limits.device = device.name;
  device.measures = true;
  if (device.multiprocessors > 0) device.limits.multiprocessors = device.multiprocessors;
  device.recordedOn = recording.began.substr(0, 10);
  completeCeilings(recording.ceilings, device.name);
  for (RecordedMachine& machine : recording.machines)
    completeCeilings(machine.ceilings, machine.name);
}

/// A point names its kernel, so kernels' names must be unique.
bool haveOwnNames(const std::vector<RecordedKernel>& kernels) {
  std::set<std::string> seen;
  return std::ranges::all_of(
      kernels, [&](const RecordedKernel& kernel) { return seen.insert(kernel.name).second; });
}

}  // namespace

void describe(Archive& io, PackedEpochs::Run& run) {
  io("fresh", run.fresh);
  io("back", run.back);
  io("repeats", run.repeats);
}

void describe(Archive& io, RecordedCounters& counters) {
  std::vector<trace::Counters> total{counters.total};
  io("total", total);
  io("rows", counters.epochs.rows);
  io("runs", counters.epochs.runs, trace::GridCounters::kMaxEpochs);
  io("epochsTruncated", counters.epochsTruncated);
  io("copies", counters.copies);
  io("overhead", counters.price, kRatio);
  io.check(total.size() == 1, "total", "there must be exactly one total");
  if (io.reads() && io.good()) counters.total = total.front();
}

void describeHeader(Archive& io, DeviceRecording& recording) {
  io("program", recording.program);
  describeTime(io, "began", recording.began);
  describeTime(io, "ended", recording.ended);
  io("method", recording.method);
  io("seed", recording.seed);
  io("device", recording.device);
  io.check(!recording.device.name.empty(), "device", "the device has no name");
  io("compiler", recording.compiler);
  io("ceilings", recording.ceilings);
  io.list("machines", recording.machines, kMostMachines,
          [](Archive& in, RecordedMachine& machine) { describe(in, machine); });
  io.list("kernels", recording.kernels, kMostKernels,
          [](Archive& in, RecordedKernel& kernel) { describe(in, kernel); });
  io.check(haveOwnNames(recording.kernels), "kernels", "two kernels have the same name");
  if (io.reads()) complete(recording);
}

void describePoints(Archive& io, DeviceRecording& recording) {
  size_t values = 0;
  io.list("points", recording.points, kMostRecordedPoints, [&](Archive& in, RecordedPoint& point) {
    describePoint(in, point, recording);
    values += namedValues(point);
    in.check(values <= kMostNamedValues, "sizes",
             "the points have too many values of sizes and tunables");
  });
  if (io.reads() && io.good()) checkPoints(io, recording);
}

}  // namespace tilestep::lab
