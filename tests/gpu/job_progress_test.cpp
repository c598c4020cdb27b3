// SPDX-License-Identifier: Apache-2.0
// The reported share of a job on a GPU. Needs no GPU.
#include "device/cuda/measure/job_progress.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace tilestep::cuda::job_progress_test {

using Step = JobProgress::Step;

struct Told {
  device::Job job;
  std::vector<double> shares;
  Told() {
    job.progress = [this](double share) { shares.push_back(share); };
  }
};

/// Longer than the time between two reports.
void aWhile() {
  ::usleep(60'000);
}

TEST(JobProgress, IsSilentUntilTheFirstRunHasEnded) {
  Told told;
  told.job.measure = true;
  JobProgress progress(told.job);
  progress.tick();
  EXPECT_TRUE(told.shares.empty());
  progress.firstRunTook(1000);
  progress.begin(Step::measuring);
  progress.tick();
  ASSERT_EQ(told.shares.size(), 1U);
  EXPECT_GT(told.shares[0], 0);
  EXPECT_LT(told.shares[0], 0.5) << "five samples and more are still to come";
}

TEST(JobProgress, AdvancesWithinAndBetweenStepsButNotToTheEnd) {
  Told told;
  told.job.check = told.job.counters = true;
  JobProgress progress(told.job);
  progress.firstRunTook(100);
  progress.begin(Step::checking);
  for (int i = 0; i < 4; ++i) {
    progress.tick();
    aWhile();
  }
  progress.begin(Step::counting);
  progress.tick();
  ASSERT_GE(told.shares.size(), 3U);
  EXPECT_TRUE(std::is_sorted(told.shares.begin(), told.shares.end()));
  // The steps are the run, its repetition, and counting, which is a compilation and three runs.
  EXPECT_NEAR(told.shares.back(), 200.0 / (100 + 100 + 400), 0.02);
  EXPECT_LT(told.shares.back(), 1);
}

// A kernel that never ends must stop the reports, so that a client notices.
TEST(JobProgress, FallsSilentInAStepThatTakesForEver) {
  Told told;
  told.job.check = true;
  JobProgress progress(told.job);
  progress.firstRunTook(20);
  progress.begin(Step::checking);
  for (int i = 0; i < 3; ++i) {
    aWhile();
    progress.tick();
  }
  ASSERT_EQ(told.shares.size(), 1U);
  EXPECT_NEAR(told.shares[0], (20 + 0.95 * 20) / 40, 1e-9);
}

TEST(JobProgress, UnrequestedStepsTakeNoTime) {
  device::Job job;
  for (const double ms : JobProgress::expectedMs(job, 1000)) EXPECT_EQ(ms, 0);
  job.timings = true;
  EXPECT_GT(JobProgress::expectedMs(job, 0.1)[static_cast<size_t>(Step::timings)], 100)
      << "it compiles";
  EXPECT_LT(JobProgress::expectedMs(job, 100)[static_cast<size_t>(Step::timings)], 6000)
      << "each way ends after a second";
  job.measure = true;
  const auto usual = JobProgress::expectedMs(job, 0.1);
  job.thorough = true;
  const auto thorough = JobProgress::expectedMs(job, 0.1);
  const auto at = static_cast<size_t>(Step::measuring);
  EXPECT_GT(usual[at], 15);
  EXPECT_LT(usual[at], 60);
  EXPECT_GT(thorough[at], 300);
}

}  // namespace tilestep::cuda::job_progress_test
