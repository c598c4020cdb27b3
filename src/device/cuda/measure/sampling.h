// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device/device.h"

/// How many samples a measurement takes, which of them count, and what they show. Only arithmetic.
namespace tilestep::cuda {

/// What a measurement may take; all from one estimate of a run's time. Times are the GPU's.
struct MeasurePlan {
  uint32_t batch = 1;  ///< Runs between two events; a sample is their mean.
  uint32_t leastSamples = 5, mostSamples = 200;
  double leastMs = 0, mostMs = 0;  ///< Duration of all samples together.
  double noise = 0;     ///< It ends between the two once the samples' standard error is this small.
  uint32_t warmUp = 1;  ///< Runs before the first sample.
  uint32_t coldSamples = 0;
};

/// Samples of about a millisecond, so that events' own half microsecond weighs nothing; 15 to 30 ms
/// in all, `thorough` 0.3 to 2 s and 20 samples at least where those fit. Runs slower than 0.2 s
/// are taken less often, down to once. `canBatch` is false where operands must be restored before
/// each run.
[[nodiscard]] MeasurePlan planMeasurement(double estimateMs, bool canBatch, bool thorough);

/// One sample: a run's mean time, and the multiprocessors' mean clock meanwhile (0: not known).
struct Sample {
  double ms = 0, mhz = 0;
};

/// The samples that count. Samples whose clock was more than 3 % below that of the best tenth are
/// left out: the GPU was still waking up, too hot or short of power. If they are the majority, that
/// is the GPU's normal state, and the others are left out.
struct Judged {
  std::vector<Sample> kept;
  uint32_t rejected = 0;
};
[[nodiscard]] Judged judge(const std::vector<Sample>& samples);

/// The standard error of the samples' mean, relative to it; infinite for less than two.
[[nodiscard]] double relativeStandardError(const std::vector<Sample>& samples);

/// Whether the measurement is complete: see MeasurePlan.
[[nodiscard]] bool isEnough(const MeasurePlan& plan, const std::vector<Sample>& all,
                            const Judged& judged);

/// Median, least, tenth and ninetieth percentile (linear between neighbours), spread, clock.
[[nodiscard]] device::Measurement summarise(const Judged& judged);

/// The median of values in any order; 0 if there are none.
[[nodiscard]] double median(std::vector<double> values);

/// What `median_ms` is, in one line: "median of 30 means of 5 back-to-back runs, warm L2 cache".
[[nodiscard]] std::string methodOf(const MeasurePlan& plan, uint32_t samples, bool gated);

}  // namespace tilestep::cuda
