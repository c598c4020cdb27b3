// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_samples.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/dim3.h"
#include "base/figure.h"
#include "metrics/coalescing.h"
#include "metrics/timeline.h"
#include "model/choice/resolved.h"

namespace tilestep::features {
namespace {

std::string threeDigits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

/// Whether the plan's kernels do floating-point work.
bool hasOperations(const SweepPlan& plan) {
  return std::ranges::any_of(plan.points,
                             [](const SweepPoint& point) { return point.operations > 0; });
}

std::string sampleTrouble(const lab::RunResult& result) {
  if (!result.faults.empty()) {
    const device::Fault& fault = result.faults.front();
    return fault.message.empty() ? fault.kind : fault.message;
  }
  if (result.check && !result.check->ok) return "its result is wrong";
  return {};
}

std::optional<device::Measurement> timeOf(const std::optional<device::Measurement>& time) {
  return time && time->medianMs > 0 ? time : std::nullopt;
}

std::optional<SweepValue> ratio(uint64_t above, double below) {
  if (below <= 0) return std::nullopt;
  const double value = static_cast<double>(above) / below;
  return SweepValue{value, value, value, false};
}

std::optional<SweepValue> speedOf(const SweepPoint& point, const device::Measurement& time) {
  const double work =
      point.operations > 0 ? point.operations : static_cast<double>(point.leastBytes);
  const auto per = [&](double ms) { return ms > 0 ? work / (ms * 1e-3) : 0; };
  return SweepValue{per(time.medianMs), per(time.p90Ms), per(time.p10Ms), time.p10Ms > 0};
}

void addMachine(SweepSample& sample, std::optional<uint32_t> registers, uint32_t sharedBytes,
                const std::optional<trace::Timeline>& timeline) {
  sample.registers = registers;
  if (registers) sample.sharedBytes = sharedBytes;
  if (!timeline) return;
  sample.achieved = metrics::achievedOccupancy(*timeline);
  sample.waitShare = metrics::barrierWaitShare(*timeline);
}

void addHardware(SweepSample& sample, const std::optional<device::HardwareCounters>& counters) {
  if (!counters || !counters->refused.empty()) return;
  sample.hardware = counters;
  const device::HardwareFigure* achieved = counters->find("achieved_occupancy");
  if (achieved != nullptr && !sample.achieved) sample.achieved = achieved->value;
}

}  // namespace

const std::array<KeptCount, 10> kKeptCounts{{
    {"global_load_bytes", [](trace::Counters& c) -> uint64_t& { return c.globalLoad.bytes; }},
    {"global_store_threads", [](trace::Counters& c) -> uint64_t& { return c.globalStore.threads; }},
    {"global_load_requests", [](trace::Counters& c) -> uint64_t& { return c.globalLoad.requests; }},
    {"global_store_requests",
     [](trace::Counters& c) -> uint64_t& { return c.globalStore.requests; }},
    {"global_load_sectors", [](trace::Counters& c) -> uint64_t& { return c.globalLoad.sectors; }},
    {"global_store_sectors", [](trace::Counters& c) -> uint64_t& { return c.globalStore.sectors; }},
    {"shared_load_requests", [](trace::Counters& c) -> uint64_t& { return c.sharedLoad.requests; }},
    {"shared_store_requests",
     [](trace::Counters& c) -> uint64_t& { return c.sharedStore.requests; }},
    {"shared_load_wavefronts",
     [](trace::Counters& c) -> uint64_t& { return c.sharedLoad.wavefronts; }},
    {"shared_store_wavefronts",
     [](trace::Counters& c) -> uint64_t& { return c.sharedStore.wavefronts; }},
}};

SweepSample sampleOf(const lab::RunResult& result, const std::string& day) {
  SweepSample sample;
  sample.when = day;
  sample.by = result.compiler.name + " " + result.compiler.version;
  if (!result.device.driver.empty()) sample.by += ", driver " + result.device.driver;
  sample.reason = sampleTrouble(result);
  if (!sample.reason.empty()) return sample;
  sample.time = timeOf(result.measurement);
  addMachine(sample, result.registers, result.sharedBytes, result.timeline);
  addHardware(sample, result.hardware);
  if (result.counters) sample.counts = result.counters->total;
  if (!sample.time && !sample.counts) {
    sample.reason = result.nearest ? lab::nearestText(*result.nearest)
                                   : std::string("nothing was measured or counted");
  } else if (sample.time && result.measurement->recorded) {
    sample.when = result.device.recordedOn;
    sample.on = device::machineText(result.device);
    sample.machine = result.device.machine;
  }
  return sample;
}

SweepSample sampleOf(const lab::DeviceRecording& recording, const lab::RecordedPoint& point) {
  SweepSample sample;
  const device::DeviceInfo device = lab::deviceOf(recording, &point);
  sample.when = device.recordedOn;
  sample.on = device::machineText(device);
  sample.machine = device.machine;
  sample.time = timeOf(point.measurement);
  addMachine(sample, point.registers, point.sharedBytes, point.timeline);
  addHardware(sample, point.hardware);
  if (point.counters) sample.counts = point.counters->total;
  return sample;
}

SweepSamples recordedSamples(const SweepPlan& plan, const lab::DeviceRecording& recording) {
  std::map<std::string, const lab::RecordedPoint*> points;
  const auto nameOf = [&](const lab::RecordedPoint& point) {
    return recording.kernels[point.kernel].name + ";" + lab::pointText(point.sizes, point.tunables);
  };
  for (const lab::RecordedPoint& point : recording.points) points.emplace(nameOf(point), &point);
  SweepSamples samples;
  for (const SweepPoint& point : plan.points) {
    if (!point.illegal.empty()) continue;
    const SweepSeries& series = plan.series[point.series];
    const std::string& kernel = series.spec->name;
    SweepSample& sample = samples[point.key];
    const auto known = std::ranges::find(recording.kernels, kernel, &lab::RecordedKernel::name);
    const auto at = points.find(kernel + ";" + lab::pointText(point.sizes, point.tunables));
    if (known == recording.kernels.end())
      sample.reason = "the recording holds no " + kernel;
    else if (known->codeHash != series.code)
      sample.reason = kernel + " is not the source that was recorded: its code differs";
    else if (recording.seed != kSeed)
      sample.reason = "it was recorded with another seed";
    else if (at == points.end())
      sample.reason = "not recorded";
    else if (at->second->launchHash != point.launch)
      sample.reason = "its launch or operands are not those that were recorded";
    else
      sample = sampleOf(recording, *at->second);
  }
  return samples;
}

SweepSample merged(const SweepSample& older, const SweepSample& newer) {
  if (!newer.reason.empty()) return newer;
  SweepSample both = newer;
  if (!both.time) both.time = older.time;
  if (!both.counts) both.counts = older.counts;
  if (!both.registers) {
    both.registers = older.registers;
    both.sharedBytes = older.sharedBytes;
  }
  if (!both.achieved) {
    both.achieved = older.achieved;
    both.waitShare = older.waitShare;
  }
  if (!both.hardware) both.hardware = older.hardware;
  return both;
}

std::optional<SweepValue> valueOf(SweepQuantity quantity, const SweepPoint& point,
                                  const SweepSample& sample) {
  if (needsTime(quantity)) {
    if (!sample.time) return std::nullopt;
    if (quantity == SweepQuantity::speed) return speedOf(point, *sample.time);
    const device::Measurement& time = *sample.time;
    return SweepValue{time.medianMs * 1e-3, time.p10Ms * 1e-3, time.p90Ms * 1e-3, time.p10Ms > 0};
  }
  if (!sample.counts) return std::nullopt;
  const trace::Counters& counts = *sample.counts;
  const auto real = [](uint64_t count) { return static_cast<double>(count); };
  switch (quantity) {
    case SweepQuantity::asked:
      return ratio(counts.globalLoad.bytes,
                   point.operations > 0 ? point.operations : real(counts.globalStore.threads));
    // Both are per unit of work. Counted per request, the best blocks would be those in which the
    // fewest lanes request anything.
    case SweepQuantity::sectors:
      return ratio(metrics::kSectorBytes * (counts.globalLoad.sectors + counts.globalStore.sectors),
                   point.operations > 0 ? point.operations : real(counts.globalStore.threads));
    case SweepQuantity::wavefronts:
      if (counts.sharedLoad.requests + counts.sharedStore.requests == 0) return std::nullopt;
      return ratio(
          counts.sharedLoad.wavefronts + counts.sharedStore.wavefronts,
          (point.operations > 0 ? point.operations / 2 : real(counts.globalStore.threads)) /
              kWarpLanes);
    default:
      return std::nullopt;
  }
}

bool needsTime(SweepQuantity quantity) {
  return quantity == SweepQuantity::speed || quantity == SweepQuantity::time;
}

bool lessIsBetter(SweepQuantity quantity) {
  return quantity != SweepQuantity::speed;
}

SweepQuantity resolved(SweepQuantity quantity, const SweepPlan& plan) {
  if (plan.kind == SweepKind::ladder) return SweepQuantity::speed;
  const bool timed = plan.source != SweepSource::interpreter;
  const bool fits = quantity != SweepQuantity::automatic && (timed || !needsTime(quantity));
  if (fits) return quantity;
  if (timed) return SweepQuantity::speed;
  // Lanes request the same bytes with every block shape; the layout of their rows in memory
  // differs.
  const bool shapes = plan.x.name == "BLOCK_X" && plan.y.name == "BLOCK_Y";
  return hasOperations(plan) && !shapes ? SweepQuantity::asked : SweepQuantity::sectors;
}

bool isAnswered(SweepQuantity quantity, const SweepSample& sample) {
  return !sample.reason.empty() ||
         (needsTime(quantity) ? sample.time.has_value() : sample.counts.has_value());
}

std::string nameOf(SweepQuantity quantity, const SweepPlan& plan) {
  switch (quantity) {
    case SweepQuantity::automatic:
    case SweepQuantity::speed:
      return hasOperations(plan) ? "FLOP/s" : "bytes/s";
    case SweepQuantity::time:
      return "time";
    case SweepQuantity::asked:
      return hasOperations(plan) ? "bytes asked by lanes per FLOP"
                                 : "bytes asked by lanes per element stored";
    case SweepQuantity::sectors:
      return hasOperations(plan) ? "bytes of L1 sectors per FLOP"
                                 : "bytes of L1 sectors per element stored";
    case SweepQuantity::wavefronts:
      return hasOperations(plan) ? "shared wavefronts per warp's multiply-add"
                                 : "shared wavefronts per 32 elements stored";
  }
  return "";
}

std::string axisOf(SweepQuantity quantity, const SweepPlan& plan) {
  switch (quantity) {
    case SweepQuantity::automatic:
    case SweepQuantity::speed:
      return hasOperations(plan) ? "FLOP/s" : "bytes/s, each buffer once";
    case SweepQuantity::time:
      return "seconds, median";
    default:
      return nameOf(quantity, plan);
  }
}

std::string textOf(SweepQuantity quantity, const SweepPlan& plan, double value) {
  switch (quantity) {
    case SweepQuantity::automatic:
    case SweepQuantity::speed:
      return toText(value, hasOperations(plan) ? Unit::flopPerSecond : Unit::bytesPerSecond);
    case SweepQuantity::time:
      return toText(value, Unit::seconds);
    case SweepQuantity::asked:
    case SweepQuantity::sectors:
      return threeDigits(value) + (hasOperations(plan) ? " B/FLOP" : " B an element");
    case SweepQuantity::wavefronts: {
      const std::string number = threeDigits(value);
      return number + (number == "1" ? " wavefront" : " wavefronts") +
             (hasOperations(plan) ? " for each multiply-add of a warp" : " for 32 elements");
    }
  }
  return "";
}

}  // namespace tilestep::features
