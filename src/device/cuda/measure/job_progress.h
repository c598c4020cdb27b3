// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>

#include "device/device.h"

namespace tilestep::cuda {

/// Which share of a job is done. A launch says nothing while it runs, so the share is reckoned:
/// from what the first run took, how many runs the steps behind it are, and the clock. It never
/// goes back and stays below a step's end until that has come; before the first run has ended
/// nothing is told. One thread.
class JobProgress {
 public:
  enum class Step : uint8_t { checking, measuring, counting, timeline, tracing, hardware };
  static constexpr size_t kSteps = 6;

  /// `job` must outlive it.
  explicit JobProgress(const device::Job& job) : job_(&job) {}

  void firstRunTook(double ms);
  /// What came before is done.
  void begin(Step step);
  /// Tells where it stands, unless that was told just now. Cheap: call it while waiting.
  void tick();

  /// About how long the rest of the job takes where one run takes `runMs`, a step; 0 for steps that
  /// were not asked for. For tests.
  [[nodiscard]] static std::array<double, kSteps> expectedMs(const device::Job& job, double runMs);

 private:
  using Clock = std::chrono::steady_clock;
  const device::Job* job_;
  std::array<double, kSteps> expected_{};
  double firstMs_ = 0, doneMs_ = 0, stepMs_ = 0, told_ = 0;
  Clock::time_point begun_, lookedAt_;
};

}  // namespace tilestep::cuda
