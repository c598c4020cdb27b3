// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_check.h"

#include <cmath>
#include <set>
#include <tuple>

#include "lab/run/device_check.h"
#include "lab/run/result_check.h"

namespace tilestep::lab {
namespace {

/// The last second of the year 9999.
constexpr int64_t kMostSeconds = 253402300799;

/// Repeated epochs take no room in a file, but time to unpack.
constexpr uint64_t kMostEpochs = uint64_t{1} << 24;

/// Adds to `unpacked` how many epochs there are.
Status checkCounters(const RecordedCounters& counters, uint64_t& unpacked) {
  if (Status total = checkCounts(counters.total); !total) return total;
  if (Status total = checkAgreement(counters.total); !total) return total;
  for (const trace::Counters& row : counters.epochs.rows)
    if (Status counts = checkCounts(row); !counts) return counts;
  if (counters.price && !kRatio.holds(*counters.price))
    return workError("counting had no price, or one that is not the quotient of two times");
  const auto epochs = unpackEpochs(counters.epochs);
  if (!epochs) return workError("its epochs do not unpack: " + epochs.error().message);
  unpacked += epochs->size();
  trace::Counters sum;
  for (const trace::Counters& epoch : *epochs) sum += epoch;
  if (!epochs->empty() && sum != counters.total)
    return workError("its epochs do not add up to their total");
  return {};
}

Status checkPoint(const RecordedPoint& point, size_t machines, uint64_t& epochs) {
  if (point.unixSeconds < 0 || point.unixSeconds > kMostSeconds)
    return workError("its day is none from 1970 to 9999");
  if (point.machine > machines) {
    return workError("it was taken on machine " + std::to_string(point.machine) +
                     ", and the recording names " + std::to_string(machines));
  }
  constexpr int64_t kMostValue = INT32_MAX;  // As the sizes of front matter.
  for (const auto& [name, value] : point.sizes)
    if (value < 1 || value > kMostValue) return workError(name + " is no size");
  for (const auto& [name, value] : point.tunables)
    if (value < -kMostValue || value > kMostValue)
      return workError(name + " is no tunable's value");
  constexpr double kMostCompileMs = 1e12;
  if (!(point.compileMs >= 0 && point.compileMs <= kMostCompileMs))
    return workError("its compiling took less than no time, or too long");
  if (Status code = checkMachineCode(point.machineCode, point.registers); !code) return code;
  if (point.hardware)
    if (Status hardware = checkHardware(*point.hardware); !hardware) return hardware;
  if (point.measurement) {
    if (Status times = checkMeasurement(*point.measurement); !times) return times;
  }
  if (point.counters) {
    if (Status counts = checkCounters(*point.counters, epochs); !counts) return counts;
  }
  if (Status timings = device::check(point.timings); !timings) return timings;
  return point.timeline ? point.timeline->check() : Status();
}

}  // namespace

Status checkRecording(const DeviceRecording& recording) {
  const auto isBefore = [](const RecordedPoint* a, const RecordedPoint* b) {
    return std::tie(a->kernel, a->sizes, a->tunables) < std::tie(b->kernel, b->sizes, b->tunables);
  };
  std::set<const RecordedPoint*, decltype(isBefore)> seen(isBefore);
  uint64_t epochs = 0;
  for (size_t i = 0; i < recording.points.size(); ++i) {
    const RecordedPoint& point = recording.points[i];
    const auto at = [&](const std::string& why) {
      return workError("point " + std::to_string(i) + " (" + recording.kernels[point.kernel].name +
                       ", " + pointText(point.sizes, point.tunables) + "): " + why);
    };
    if (Status whole = checkPoint(point, recording.machines.size(), epochs); !whole)
      return at(whole.error().message);
    if (epochs > kMostEpochs)
      return at("the points so far have more than " + std::to_string(kMostEpochs) + " epochs");
    if (!seen.insert(&point).second) return at("it is there twice");
  }
  return {};
}

}  // namespace tilestep::lab
