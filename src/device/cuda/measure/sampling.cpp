// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilestep::cuda {
namespace {

constexpr double kSampleMs = 1.0;
constexpr double kWarmUpMs = 3.0;
constexpr double kSlowRunMs = 200.0;
constexpr double kSlowTotalMs = 1000.0;
constexpr double kClockShare = 0.97;

uint32_t clampCount(double wanted, uint32_t least, uint32_t most) {
  return static_cast<uint32_t>(
      std::clamp(std::ceil(wanted), static_cast<double>(least), static_cast<double>(most)));
}

/// The quantile of sorted values, interpolated linearly.
double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<size_t>(at);
  const size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

template <class Field>
std::vector<double> sortedOf(const std::vector<Sample>& samples, Field field) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.*field);
  std::sort(values.begin(), values.end());
  return values;
}

double sumOf(const std::vector<Sample>& samples, double Sample::*field) {
  double sum = 0;
  for (const Sample& sample : samples) sum += sample.*field;
  return sum;
}

}  // namespace

MeasurePlan planMeasurement(double estimateMs, bool canBatch, bool thorough) {
  const double runMs = std::max(estimateMs, 1e-3);
  const bool slow = runMs >= kSlowRunMs;
  MeasurePlan plan;
  plan.batch = canBatch ? clampCount(kSampleMs / runMs, 1, 100) : 1;
  plan.leastSamples = slow ? clampCount(kSlowTotalMs / runMs, 1, 5) : thorough ? 20 : 5;
  plan.mostSamples = slow ? plan.leastSamples : thorough ? 2000 : 200;
  plan.leastMs = thorough ? 300 : 15;
  plan.mostMs = thorough ? 2000 : 30;
  plan.noise = thorough ? 0.0005 : 0.002;
  plan.warmUp = slow ? 0 : clampCount(kWarmUpMs / runMs, 1, 200);
  if (thorough) plan.coldSamples = slow ? plan.leastSamples : clampCount(500 / runMs, 5, 100);
  return plan;
}

Judged judge(const std::vector<Sample>& samples) {
  Judged judged;
  const std::vector<double> clocks = sortedOf(samples, &Sample::mhz);
  const double least = clocks.empty() ? 0 : kClockShare * quantile(clocks, 0.9);
  const auto isFast = [&](const Sample& sample) { return sample.mhz >= least; };
  const auto fast = std::count_if(samples.begin(), samples.end(), isFast);
  const bool mostAreFast = 2 * static_cast<size_t>(fast) >= samples.size();
  for (const Sample& sample : samples) {
    if (isFast(sample) == mostAreFast) judged.kept.push_back(sample);
  }
  judged.rejected = static_cast<uint32_t>(samples.size() - judged.kept.size());
  return judged;
}

double relativeStandardError(const std::vector<Sample>& samples) {
  if (samples.size() < 2) return std::numeric_limits<double>::infinity();
  const auto count = static_cast<double>(samples.size());
  const double mean = sumOf(samples, &Sample::ms) / count;
  double squares = 0;
  for (const Sample& sample : samples) squares += (sample.ms - mean) * (sample.ms - mean);
  return mean > 0 ? std::sqrt(squares / (count - 1) / count) / mean : 0;
}

bool isEnough(const MeasurePlan& plan, const std::vector<Sample>& all, const Judged& judged) {
  if (all.size() < plan.leastSamples) return false;
  const double spentMs = sumOf(all, &Sample::ms) * plan.batch;
  if (all.size() >= plan.mostSamples || spentMs >= plan.mostMs) return true;
  return spentMs >= plan.leastMs && judged.kept.size() >= plan.leastSamples &&
         relativeStandardError(judged.kept) <= plan.noise;
}

device::Measurement summarise(const Judged& judged) {
  device::Measurement result;
  if (judged.kept.empty()) return result;
  const std::vector<double> sorted = sortedOf(judged.kept, &Sample::ms);
  result.minMs = sorted.front();
  result.medianMs = quantile(sorted, 0.5);
  result.p10Ms = quantile(sorted, 0.1);
  result.p90Ms = quantile(sorted, 0.9);
  if (result.medianMs > 0) result.spread = (result.p90Ms - result.p10Ms) / result.medianMs;
  result.repetitions = static_cast<uint32_t>(sorted.size());
  result.rejected = judged.rejected;
  const double mhz = sumOf(judged.kept, &Sample::mhz) / static_cast<double>(sorted.size());
  if (mhz > 0) result.clockMhz = static_cast<uint32_t>(std::lround(mhz));
  return result;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

std::string methodOf(const MeasurePlan& plan, uint32_t samples, bool gated) {
  std::string text = samples == 1 ? "one sample" : "median of " + std::to_string(samples);
  text += plan.batch == 1 ? (samples == 1 ? ", a single run" : " single runs")
                          : " means of " + std::to_string(plan.batch) + " back-to-back runs";
  text += ", warm L2 cache";
  if (!gated) text += ", launched one after the other";
  return text;
}

}  // namespace tilestep::cuda
