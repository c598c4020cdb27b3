// SPDX-License-Identifier: Apache-2.0
#include "metrics/limits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilestep::metrics {
namespace {

constexpr double kLanes = 32;
constexpr double kSectorsAWavefront = 4;  ///< 128 bytes of 32 each.

bool atLeast(const DeviceRates& rates, int major) {
  return rates.computeMajor >= major;
}

/// Lines if they were counted, else the fewest that requests and sectors can need.
double l1Wavefronts(const CountedWork& work) {
  return std::max(
      {work.globalRequests, work.globalSectors / kSectorsAWavefront, work.globalLines.value_or(0)});
}

/// Converts cycles of one SM for a warp's multiply-add to seconds of the launch, and keeps them.
class Times {
 public:
  Times(const LaunchShape& shape, const DeviceRates& rates, Limits& limits) : limits_(limits) {
    const double warpMultiplyAdds = shape.operations / 2 / kLanes;
    if (rates.multiprocessors > 0 && rates.clockHz > 0)
      perCycle_ = warpMultiplyAdds / rates.multiprocessors / rates.clockHz / limits.evenness;
  }
  [[nodiscard]] bool known() const { return perCycle_ > 0; }
  void add(Resource resource, double amount, double least, double aCycle, bool lower) {
    limits_.times.push_back(
        {resource, amount, least, amount / aCycle * perCycle_, least / aCycle * perCycle_, lower});
  }

 private:
  Limits& limits_;
  double perCycle_ = 0;
};

}  // namespace

const char* toText(Resource resource) {
  constexpr std::array<const char*, kResources> kNames{
      "FP32 lanes", "instruction issue", "shared memory", "L1", "L2", "DRAM"};
  return kNames[static_cast<size_t>(resource)];
}

const ResourceTime* Limits::of(Resource resource) const {
  const auto found = std::ranges::find(times, resource, &ResourceTime::resource);
  return found == times.end() ? nullptr : &*found;
}

std::optional<double> schedulersOf(const DeviceRates& rates) {
  if (rates.computeMajor < 5) return std::nullopt;
  const bool half = rates.computeMajor == 6 && rates.computeMinor == 0;
  return half ? 2.0 : 4.0;
}

double evennessOf(uint64_t blocks, uint32_t multiprocessors) {
  if (blocks == 0 || multiprocessors == 0) return 1;
  const uint64_t rounds = (blocks + multiprocessors - 1) / multiprocessors;
  return static_cast<double>(blocks) /
         (static_cast<double>(rounds) * static_cast<double>(multiprocessors));
}

std::optional<Limits> limitsOf(const CountedWork& work, const LaunchShape& shape,
                               const DeviceRates& rates) {
  if (work.multiplyAdds <= 0 || shape.operations <= 0) return std::nullopt;
  Limits limits;
  limits.evenness = evennessOf(shape.blocks, rates.multiprocessors);
  const double warps = work.multiplyAdds / kLanes;
  if (rates.fp32FlopPerSecond && *rates.fp32FlopPerSecond > 0) {
    const double seconds = shape.operations / *rates.fp32FlopPerSecond / limits.evenness;
    limits.times.push_back({Resource::fp32, 1, 1, seconds, seconds, false});
  }
  Times times(shape, rates, limits);
  if (const auto schedulers = schedulersOf(rates);
      times.known() && schedulers && work.warpInstructions) {
    const double amount = *work.warpInstructions / warps;
    times.add(Resource::issue, amount, amount, *schedulers, false);
  }
  if (times.known() && atLeast(rates, 5))
    times.add(Resource::shared, work.sharedWavefronts / warps,
              std::min(work.sharedLeast, work.sharedWavefronts) / warps, 1,
              work.copiesUncounted || work.sharedAtLeast);
  if (times.known() && atLeast(rates, 7)) {
    const double amount = l1Wavefronts(work) / warps;
    times.add(Resource::l1, amount, amount, 1, work.copiesUncounted || !work.globalLines);
  }
  const auto add = [&](Resource resource, double bytes, double bytesPerSecond, bool lower) {
    const double seconds = bytes / bytesPerSecond;
    limits.times.push_back({resource, bytes, bytes, seconds, seconds, lower});
  };
  if (shape.l2Bytes && rates.l2BytesPerSecond.value_or(0) > 0)
    add(Resource::l2, *shape.l2Bytes, *rates.l2BytesPerSecond, false);
  const bool cached = rates.l2Bytes > 0 && shape.bufferBytes <= rates.l2Bytes;
  if (rates.dramBytesPerSecond.value_or(0) > 0 && !cached) {
    if (shape.dramBytes)
      add(Resource::dram, *shape.dramBytes, *rates.dramBytesPerSecond, false);
    else if (shape.bufferBytes > 0)
      add(Resource::dram, static_cast<double>(shape.bufferBytes), *rates.dramBytesPerSecond, true);
  }
  for (const ResourceTime& time : limits.times) {
    limits.leastSeconds = std::max(limits.leastSeconds, time.leastSeconds);
    if (time.seconds <= limits.seconds) continue;
    limits.seconds = time.seconds;
    limits.limit = time.resource;
  }
  if (limits.leastSeconds <= 0) return std::nullopt;
  return limits;
}

PredictedGain predictedGain(const Limits& before, const Limits& after) {
  return {before.leastSeconds / after.seconds, before.seconds / after.leastSeconds};
}

double leastWavefronts(uint32_t wavefronts, uint32_t distinctWords, uint32_t width) {
  constexpr double kWidest = 16, kBanks = 32;
  if (width == 0) return wavefronts;
  return std::min(static_cast<double>(wavefronts),
                  std::max(distinctWords / kBanks, wavefronts * std::min(1.0, width / kWidest)));
}

}  // namespace tilestep::metrics
