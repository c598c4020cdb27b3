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

/// Whether the plan's kernels have floating-point operations.
bool hasOperations(const SweepPlan& plan) {
  return std::ranges::any_of(plan.points,
                             [](const SweepPoint& point) { return point.operations > 0; });
}

struct QuantityWords {
  const char *name, *axis;
  const char* per;  ///< After a counted value.
};
using QuantityTable = std::array<QuantityWords, model::kSweepQuantities>;

/// By SweepQuantity, for plans with floating-point operations and without.
constexpr QuantityTable kPerOperation{
    {{"FLOP/s", "FLOP/s", ""},
     {"FLOP/s", "FLOP/s", ""},
     {"time", "seconds, median", ""},
     {"bytes asked by lanes per FLOP", "bytes asked by lanes per FLOP", " B/FLOP"},
     {"bytes of L1 sectors per FLOP", "bytes of L1 sectors per FLOP", " B/FLOP"},
     {"shared wavefronts per warp's multiply-add", "shared wavefronts per warp's multiply-add",
      " for each multiply-add of a warp"}}};
constexpr QuantityTable kPerElement{
    {{"bytes/s", "bytes/s, each buffer once", ""},
     {"bytes/s", "bytes/s, each buffer once", ""},
     {"time", "seconds, median", ""},
     {"bytes asked by lanes per element stored", "bytes asked by lanes per element stored",
      " B an element"},
     {"bytes of L1 sectors per element stored", "bytes of L1 sectors per element stored",
      " B an element"},
     {"shared wavefronts per 32 elements stored", "shared wavefronts per 32 elements stored",
      " for 32 elements"}}};

const QuantityWords& wordsOf(SweepQuantity quantity, const SweepPlan& plan) {
  return (hasOperations(plan) ? kPerOperation : kPerElement)[static_cast<size_t>(quantity)];
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
      sample.reason = "the recording does not contain " + kernel;
    else if (known->codeHash != series.code)
      sample.reason = "the code of " + kernel + " has changed since it was recorded";
    else if (recording.seed != kSeed)
      sample.reason = "it was recorded with a different seed";
    else if (at == points.end())
      sample.reason = "not recorded";
    else if (at->second->launchHash != point.launch)
      sample.reason = "its launch or operands differ from the recorded ones";
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
  const auto leastBytes = static_cast<double>(point.leastBytes);
  if (needsTime(quantity)) {
    if (!sample.time) return std::nullopt;
    const device::Measurement& time = *sample.time;
    const double work = point.operations > 0 ? point.operations : leastBytes;
    const auto speed = [&](double ms) { return ms > 0 ? work / (ms * 1e-3) : 0; };
    const bool spread = time.p10Ms > 0;
    if (quantity == SweepQuantity::speed)
      return SweepValue{speed(time.medianMs), speed(time.p90Ms), speed(time.p10Ms), spread};
    return SweepValue{time.medianMs * 1e-3, time.p10Ms * 1e-3, time.p90Ms * 1e-3, spread};
  }
  if (!sample.counts) return std::nullopt;
  const trace::Counters& counts = *sample.counts;
  const trace::GlobalCounts &loads = counts.globalLoad, &stores = counts.globalStore;
  // All counts are per unit of work. Per request, the best blocks would be those in which the
  // fewest lanes request anything.
  const bool isFloat = point.operations > 0;
  double work = isFloat ? point.operations : static_cast<double>(stores.threads);
  uint64_t count = loads.bytes;
  if (quantity == SweepQuantity::sectors) {
    count = metrics::kSectorBytes * (loads.sectors + stores.sectors);
  } else if (quantity == SweepQuantity::wavefronts) {
    if (counts.sharedLoad.requests + counts.sharedStore.requests == 0) return std::nullopt;
    count = counts.sharedLoad.wavefronts + counts.sharedStore.wavefronts;
    work /= isFloat ? 2 * kWarpLanes : kWarpLanes;
  }
  if (work <= 0) return std::nullopt;
  const double value = static_cast<double>(count) / work;
  return SweepValue{value, value, value, false};
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
  // With every block shape, lanes request the same bytes but different sectors.
  const bool shapes = plan.x.name == "BLOCK_X" && plan.y.name == "BLOCK_Y";
  return hasOperations(plan) && !shapes ? SweepQuantity::asked : SweepQuantity::sectors;
}

bool isAnswered(SweepQuantity quantity, const SweepSample& sample) {
  return !sample.reason.empty() ||
         (needsTime(quantity) ? sample.time.has_value() : sample.counts.has_value());
}

std::string nameOf(SweepQuantity quantity, const SweepPlan& plan) {
  return wordsOf(quantity, plan).name;
}

std::string axisOf(SweepQuantity quantity, const SweepPlan& plan) {
  return wordsOf(quantity, plan).axis;
}

std::string textOf(SweepQuantity quantity, const SweepPlan& plan, double value) {
  if (quantity == SweepQuantity::time) return toText(value, Unit::seconds);
  if (quantity == SweepQuantity::speed || quantity == SweepQuantity::automatic)
    return toText(value, hasOperations(plan) ? Unit::flopPerSecond : Unit::bytesPerSecond);
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.3g", value);
  std::string text = digits.data();
  if (quantity == SweepQuantity::wavefronts) text += text == "1" ? " wavefront" : " wavefronts";
  return text + wordsOf(quantity, plan).per;
}

}  // namespace tilestep::features
