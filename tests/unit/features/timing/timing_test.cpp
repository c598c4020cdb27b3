// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/timing/view.h"
#include "model/export/table.h"
#include "model/timed_kernels.h"
#include "support/results.h"
#include "unit/features/timing/timing_lab.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::timing_session_test {

class TimingSession : public SessionFixture {
 protected:
  void start(bool hasGpu, bool hasRecording = false) {
    log->gpu = hasGpu;
    log->recording = hasRecording;
    SessionOptions options;
    options.home = makeLabHome("timing_test", timingLab());
    if (hasRecording) options.device = "recorded:test-gpu";
    open(options);
    settle();
  }
  const TimingView& timing() { return next().view<TimingView>(); }
  [[nodiscard]] size_t asked() const {
    return static_cast<size_t>(std::ranges::count(all, true, &lab::Experiment::timings));
  }
};

TEST_F(TimingSession, TimesTheLabsLaunchesOnlyWhileVisible) {
  start(true);
  EXPECT_TRUE(timing().rows.empty());
  EXPECT_EQ(asked(), 0U);
  session->apply(command("timing.watch", true));
  EXPECT_TRUE(timing().coming);
  settle();
  EXPECT_FALSE(timing().coming);
  ASSERT_EQ(timing().rows.size(), 2U) << "the third kernel has no sizes for timing";
  EXPECT_EQ(timing().rows[0].kernel, "long product");
  EXPECT_EQ(timing().rows[0].ways, toyTimings());
  EXPECT_EQ(timing().rows[0].on, "Test GPU");
  EXPECT_EQ(asked(), 2U) << "requested once each";
  const auto first = std::ranges::find(all, true, &lab::Experiment::timings);
  EXPECT_EQ(first->sizes, (compile::Bindings{{"m", 512}, {"n", 512}, {"k", 512}}));
  EXPECT_FALSE(first->onlyRecorded);
  EXPECT_TRUE(has(timing().sentence, "A launch of the long product takes 500 µs."));
}

TEST(TimedOn, ListsEachDeviceOnce) {
  EXPECT_EQ(timedOnText({}), "");
  EXPECT_EQ(timedOnText({"", ""}), "");
  EXPECT_EQ(timedOnText({"A no. 4", "", "A no. 3", "A no. 4"}), "Timed on A no. 4; A no. 3.");
}

TEST_F(TimingSession, RecordingProvidesItsTimesAndDay) {
  start(false, true);
  session->apply(command("timing.watch", true));
  settle();
  ASSERT_EQ(timing().rows.size(), 2U);
  EXPECT_EQ(timing().rows[0].ways, toyTimings());
  EXPECT_TRUE(has(timing().rows[0].on, "2026-11-21"));
  EXPECT_TRUE(timing().rows[1].ways.empty());
  EXPECT_EQ(timing().rows[1].gap, "The recording does not hold this launch timed in several ways.");
  for (const lab::Experiment& experiment : all)
    EXPECT_TRUE(!experiment.timings || experiment.onlyRecorded);
}

TEST_F(TimingSession, WithoutAGpuThereIsOneHint) {
  start(false);
  session->apply(command("timing.watch", true));
  settle();
  ASSERT_EQ(timing().rows.size(), 2U);
  EXPECT_TRUE(timing().rows[0].ways.empty());
  EXPECT_EQ(timing().sentence,
            "Only a GPU gives times. Choose a GPU or a recording as the device.");
  EXPECT_FALSE(timing().coming) << "nothing is pending";
  EXPECT_EQ(asked(), 0U) << "nothing is requested";
}

TEST_F(TimingSession, TableHasARowForEachMethod) {
  start(true);
  session->apply(command("timing.watch", true));
  settle();
  const Table table = tableOf("timing", snapshot());
  ASSERT_EQ(table.rows.size(), 8U);
  EXPECT_EQ(table.rows[0][3], "CPU clock, not synchronised");
  EXPECT_EQ(table.rows[0][4], "4e-06");
  EXPECT_EQ(table.rows[1][8], "0.0008");
  EXPECT_EQ(table.rows[7][9], "20");
}

}  // namespace tilestep::features::timing_session_test
