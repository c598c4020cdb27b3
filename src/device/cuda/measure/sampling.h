// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.h"

/// The number of samples of a measurement, their selection, and their statistics.
namespace tilestep::cuda {

/// The limits of a measurement, derived from an estimate of a run's GPU time.
struct MeasurePlan {
  uint32_t batch = 1;  ///< Runs between two events; a sample is their mean.
  uint32_t leastSamples = 5, mostSamples = 200;
  double leastMs = 0, mostMs = 0;  ///< Duration of all samples together.
  double noise = 0;     ///< Between the limits, sampling ends at this relative standard error.
  uint32_t warmUp = 1;  ///< Runs before the first sample.
  uint32_t coldSamples = 0;
};

/// Plans samples of about a millisecond, so that the events' own half microsecond is negligible.
/// They take 15 to 30 ms in total; with `thorough`, 0.3 to 2 s, and at least 20 samples if those
/// fit. Runs slower than 0.2 s are repeated less often, down to once. `canBatch` is false if
/// operands must be restored before each run.
[[nodiscard]] MeasurePlan planMeasurement(double estimateMs, bool canBatch, bool thorough);

/// One sample: a run's mean time, and the multiprocessors' mean clock during it, 0 if unknown.
struct Sample {
  double ms = 0, mhz = 0;
};

/// The accepted samples. Samples whose clock was more than 3 % below that of the best tenth are
/// rejected: the GPU was still waking up, too hot or short of power. If most samples have the low
/// clock, it is the GPU's normal state, and the faster samples are rejected.
struct Judged {
  std::vector<Sample> kept;
  uint32_t rejected = 0;
};
[[nodiscard]] Judged judge(const std::vector<Sample>& samples);

/// The relative standard error of the samples' mean; infinite for fewer than two samples.
[[nodiscard]] double relativeStandardError(const std::vector<Sample>& samples);

/// Whether the measurement is complete: see MeasurePlan.
[[nodiscard]] bool isEnough(const MeasurePlan& plan, const std::vector<Sample>& all,
                            const Judged& judged);

/// Median, minimum, tenth and ninetieth percentile (interpolated linearly), spread and clock of the
/// accepted samples.
[[nodiscard]] device::Measurement summarise(const Judged& judged);

/// The median of values in any order; 0 if there are none.
[[nodiscard]] double median(std::vector<double> values);

/// A one-line description of `median_ms`: "median of 30 means of 5 back-to-back runs, warm L2
/// cache".
[[nodiscard]] std::string methodOf(const MeasurePlan& plan, uint32_t samples, bool gated);

}  // namespace tilestep::cuda
