// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>

#include "device/device.h"

namespace tilestep::cuda {

/// The finished share of a job. A launch reports nothing while it runs, so the share is estimated
/// from the first run's time, the number of runs in the remaining steps, and the clock. The share
/// never decreases, and stays below a step's end until the step is done. Nothing is reported before
/// the first run has ended. For one thread.
class JobProgress {
 public:
  enum class Step : uint8_t { checking, measuring, timings, counting, timeline, tracing, hardware };
  static constexpr size_t kSteps = 7;

  /// `job` must outlive this.
  explicit JobProgress(const device::Job& job) : job_(&job) {}

  void firstRunTook(double ms);
  /// Begins a step; all earlier steps are done.
  void begin(Step step);
  /// Reports the share, but not twice within a short time. Cheap enough to call while waiting.
  void tick();

  /// The estimated duration of each remaining step if one run takes `runMs`; 0 for steps that were
  /// not requested. For tests.
  [[nodiscard]] static std::array<double, kSteps> expectedMs(const device::Job& job, double runMs);

 private:
  using Clock = std::chrono::steady_clock;
  const device::Job* job_;
  std::array<double, kSteps> expected_{};
  double firstMs_ = 0, doneMs_ = 0, stepMs_ = 0, told_ = 0;
  Clock::time_point begun_, lookedAt_;
};

}  // namespace tilestep::cuda
