// SPDX-License-Identifier: Apache-2.0
#include "metrics/limits.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilestep::metrics {
namespace {

constexpr double kLanes = 32;
constexpr double kSectorsAWavefront = 4;  ///< 128 bytes / 32 bytes.

bool atLeast(const DeviceRates& rates, int major) {
  return rates.computeMajor >= major;
}

/// The lines if they were counted, else the fewest wavefronts for the requests and sectors.
double l1Wavefronts(const CountedWork& work) {
  return std::max(
      {work.globalRequests, work.globalSectors / kSectorsAWavefront, work.globalLines.value_or(0)});
}

/// The unit in which amounts are given is 1 / `counted` of the counted launch; the predicted launch
/// executes it `launched` times.
struct Portion {
  double counted = 1;   ///< Units in the counted launch.
  double launched = 1;  ///< Units in the predicted launch.
};

/// Sets the limit to the resource with the longest time.
void takeLongest(Limits& limits) {
  limits.seconds = limits.leastSeconds = 0;
  for (const ResourceTime& time : limits.times) {
    limits.leastSeconds = std::max(limits.leastSeconds, time.leastSeconds);
    if (time.seconds <= limits.seconds) continue;
    limits.seconds = time.seconds;
    limits.limit = time.resource;
  }
}

/// Computes the times of all resources with a known rate.
class Times {
 public:
  Times(const CountedWork& work, const LaunchShape& shape, const DeviceRates& rates,
        const Portion& portion)
      : work_(work), shape_(shape), rates_(rates), portion_(portion) {
    limits_.evenness = evennessOf(shape.blocks, rates.multiprocessors);
    if (rates.multiprocessors > 0 && rates.clockHz > 0)
      perCycle_ = portion.launched / rates.multiprocessors / rates.clockHz / limits_.evenness;
  }

  std::optional<Limits> limits() && {
    addFp32();
    if (perCycle_ > 0) addCycles();
    addBytes();
    takeLongest(limits_);
    if (limits_.leastSeconds <= 0) return std::nullopt;
    return std::move(limits_);
  }

 private:
  void addFp32() {
    if (rates_.fp32FlopPerSecond.value_or(0) <= 0 || work_.multiplyAdds <= 0) return;
    const double amount = work_.multiplyAdds / kLanes / portion_.counted;
    const double seconds =
        2 * kLanes * amount * portion_.launched / *rates_.fp32FlopPerSecond / limits_.evenness;
    limits_.times.push_back({Resource::fp32, amount, amount, seconds, seconds, false});
  }

  void addCycles() {
    if (const auto schedulers = schedulersOf(rates_); schedulers && work_.warpInstructions)
      add(Resource::issue, *work_.warpInstructions, *work_.warpInstructions, *schedulers, false);
    if (atLeast(rates_, 5))
      add(Resource::shared, work_.sharedWavefronts,
          std::min(work_.sharedLeast, work_.sharedWavefronts), 1,
          work_.copiesUncounted || work_.sharedAtLeast);
    if (atLeast(rates_, 7)) {
      const double wavefronts = l1Wavefronts(work_);
      add(Resource::l1, wavefronts, wavefronts, 1, work_.copiesUncounted || !work_.globalLines);
    }
  }

  void addBytes() {
    if (shape_.l2Bytes && rates_.l2BytesPerSecond.value_or(0) > 0)
      move(Resource::l2, *shape_.l2Bytes, *rates_.l2BytesPerSecond, false);
    const bool cached = rates_.l2Bytes > 0 && shape_.bufferBytes <= rates_.l2Bytes;
    if (rates_.dramBytesPerSecond.value_or(0) <= 0 || cached) return;
    if (shape_.dramBytes)
      move(Resource::dram, *shape_.dramBytes, *rates_.dramBytesPerSecond, false);
    else if (shape_.bufferBytes > 0)
      move(Resource::dram, static_cast<double>(shape_.bufferBytes), *rates_.dramBytesPerSecond,
           true);
  }

  /// Adds a resource that processes `aCycle` units per cycle and SM.
  void add(Resource resource, double counted, double least, double aCycle, bool lower) {
    const double amount = counted / portion_.counted, leastAmount = least / portion_.counted;
    limits_.times.push_back({resource, amount, leastAmount, amount / aCycle * perCycle_,
                             leastAmount / aCycle * perCycle_, lower});
  }
  void move(Resource resource, double bytes, double bytesPerSecond, bool lower) {
    const double seconds = bytes / bytesPerSecond;
    limits_.times.push_back({resource, bytes, bytes, seconds, seconds, lower});
  }

  const CountedWork& work_;
  const LaunchShape& shape_;
  const DeviceRates& rates_;
  const Portion portion_;
  Limits limits_;
  double perCycle_ = 0;  ///< Seconds of the launch per cycle of a portion; 0 if unknown.
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
  const Portion multiplyAdd{work.multiplyAdds / kLanes, shape.operations / 2 / kLanes};
  return Times(work, shape, rates, multiplyAdd).limits();
}

std::optional<Limits> limitsOfLaunch(const CountedWork& work, const LaunchShape& shape,
                                     const DeviceRates& rates) {
  return Times(work, shape, rates, {}).limits();
}

Limits mergedLimits(Limits limits) {
  for (ResourceTime& time : limits.times) {
    time.amount = time.leastAmount;
    time.seconds = time.leastSeconds;
  }
  takeLongest(limits);
  return limits;
}

PredictedGain predictedGain(const Limits& before, const Limits& after) {
  return {before.leastSeconds / after.seconds, before.seconds / after.leastSeconds};
}

double leastWavefronts(uint32_t wavefronts, uint32_t distinctWords, uint32_t width) {
  constexpr double kWidest = 16, kBankWords = 32;
  if (width == 0) return wavefronts;
  return std::min(
      static_cast<double>(wavefronts),
      std::max(distinctWords / kBankWords, wavefronts * std::min(1.0, width / kWidest)));
}

}  // namespace tilestep::metrics
