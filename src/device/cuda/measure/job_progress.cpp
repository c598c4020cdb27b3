// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/job_progress.h"

#include <algorithm>
#include <numeric>

#include "device/cuda/measure/sampling.h"

namespace tilestep::cuda {
namespace {

using namespace std::chrono_literals;

constexpr auto kBetween = 50ms;
constexpr double kLeastStep = 0.005;  // Smaller steps are invisible.
// The largest share that is shown of a step that runs longer than estimated.
constexpr double kBeforeEnd = 0.95;

// Typical times of the driver's compiler for a rewritten kernel, and of CUPTI's start
// (docs/measurements).
constexpr double kCompileMs = 100, kProfilerMs = 300;
// The number of timing methods, each with a newly loaded module, and the most runs per method.
constexpr double kTimingWays = 4, kTimingRuns = 34, kMostTimingMs = 1000;
// Runs per step; a rewritten kernel's runs are weighted by their typical overhead.
constexpr double kCountingRuns = 3, kTracingRuns = 4, kHardwareRuns = 8, kTimelineRuns = 2;

double measuringMs(double runMs, bool thorough) {
  const MeasurePlan plan = planMeasurement(runMs, true, thorough);
  const double samples = std::max((plan.leastMs + plan.mostMs) / 2, plan.leastSamples * runMs);
  return (1.0 + plan.warmUp + plan.coldSamples) * runMs + samples;
}

}  // namespace

std::array<double, JobProgress::kSteps> JobProgress::expectedMs(const device::Job& job,
                                                                double runMs) {
  std::array<double, kSteps> ms{};
  const auto set = [&](Step step, double value) { ms[static_cast<size_t>(step)] = value; };
  if (job.check) set(Step::checking, runMs);
  if (job.measure) set(Step::measuring, measuringMs(runMs, job.thorough));
  if (job.timings)
    set(Step::timings,
        kTimingWays * (kCompileMs + std::min(kTimingRuns * runMs, std::max(kMostTimingMs, runMs))));
  if (job.counters) {
    set(Step::counting, kCompileMs + (job.measure ? 2 : 1) * kCountingRuns * runMs);
  }
  if (job.timeline) {
    set(Step::timeline,
        kCompileMs + kTimelineRuns * runMs + (job.measure ? 1 : 2) * measuringMs(runMs, false));
  }
  if (job.traceBlock) set(Step::tracing, kCompileMs + kTracingRuns * runMs);
  if (job.hardware) set(Step::hardware, kProfilerMs + kHardwareRuns * runMs);
  return ms;
}

void JobProgress::firstRunTook(double ms) {
  firstMs_ = doneMs_ = ms;
  expected_ = expectedMs(*job_, ms);
  begun_ = Clock::now();
}

void JobProgress::begin(Step step) {
  doneMs_ += stepMs_;
  stepMs_ = expected_[static_cast<size_t>(step)];
  begun_ = Clock::now();
}

void JobProgress::tick() {
  const auto now = Clock::now();
  if (!job_->progress || firstMs_ <= 0 || now - lookedAt_ < kBetween) return;
  lookedAt_ = now;
  const std::chrono::duration<double, std::milli> passed = now - begun_;
  const double all = std::accumulate(expected_.begin(), expected_.end(), firstMs_);
  const double share = (doneMs_ + std::min(passed.count(), kBeforeEnd * stepMs_)) / all;
  if (share < told_ + kLeastStep) return;
  told_ = share;
  job_->progress(share);
}

}  // namespace tilestep::cuda
