// SPDX-License-Identifier: Apache-2.0
#include "worker/watch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/results.h"

namespace tilestep::worker::watch_test {

using Time = Watch::Time;

Time at(double seconds) {
  return Time() +
         std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds));
}

std::string complaint(const Watch& watch, double seconds) {
  const auto error = watch.overdue(at(seconds));
  return error ? error->message : "";
}

TEST(Watch, SilenceCountsWhileARequestIsOpen) {
  Watch watch({}, at(0));
  watch.heard(at(1));
  EXPECT_EQ(watch.due(), std::nullopt) << "an idle worker may be silent";
  EXPECT_EQ(complaint(watch, 1000), "");
  watch.asked(1, 60, at(1000));
  EXPECT_EQ(watch.due(), at(1005));
  EXPECT_EQ(complaint(watch, 1004.9), "");
  EXPECT_TRUE(has(complaint(watch, 1005), "sent nothing for 5.00 s"));
  watch.heard(at(1004));
  EXPECT_EQ(complaint(watch, 1005), "");
  EXPECT_EQ(watch.due(), at(1009));
  watch.answered(1, at(1004));
  EXPECT_EQ(watch.due(), std::nullopt);
}

TEST(Watch, ProgressRestartsARequestsTime) {
  Watch watch({}, at(0));
  watch.asked(1, 10, at(0));
  watch.asked(2, 10, at(0));
  const auto beatUntil = [&](double seconds) { watch.heard(at(seconds)); };
  beatUntil(100);
  EXPECT_EQ(complaint(watch, 100), "") << "neither has begun";
  watch.told(1, "compiling", at(100));
  beatUntil(139);
  EXPECT_EQ(complaint(watch, 139), "");
  watch.told(1, "running on x", at(139));
  beatUntil(178);
  EXPECT_EQ(complaint(watch, 178), "") << "a new stage restarts the time";
  beatUntil(179);
  EXPECT_TRUE(has(complaint(watch, 179), "stuck while running on x for 40.0 s"));
  watch.answered(1, at(179));
  EXPECT_EQ(complaint(watch, 179), "");
}

/// Reports `stages` every half second. Returns when the worker is ended; 0 if not by `most`.
double endOfOneThatTells(const std::vector<std::string>& stages, double limit, double most,
                         std::string* why = nullptr) {
  Watch watch({}, at(0));
  watch.asked(1, limit, at(0));
  watch.told(1, "", at(0));
  for (int i = 0; i * 0.5 <= most; ++i) {
    const double now = i * 0.5;
    watch.heard(at(now));
    if (const std::string end = complaint(watch, now); !end.empty()) {
      if (why != nullptr) *why = end;
      return now;
    }
    watch.told(1, stages[static_cast<size_t>(i) % stages.size()], at(now));
  }
  return 0;
}

TEST(Watch, NewStagesDoNotExtendTheTimeForever) {
  std::string why;
  EXPECT_EQ(endOfOneThatTells({"stage 1", "stage 2"}, 3, 1000, &why), 45)
      << "5 limits plus the grace";
  EXPECT_TRUE(has(why, "reported new stages for 45.0 s without an answer"));
}

TEST(Watch, WaitingForAGpuIsNotCountedButLimited) {
  Watch watch({}, at(0));
  watch.asked(1, 3, at(0));
  for (int second = 0; second <= 1800; ++second) {
    watch.heard(at(second));
    ASSERT_EQ(complaint(watch, second), "") << second;
    watch.told(1, "waiting for the NVIDIA H200, " + std::to_string(second) + " s", at(second));
  }
  const std::vector<std::string> stages{"waiting for a", "waiting for b"};
  EXPECT_EQ(endOfOneThatTells(stages, 3, 5000), 1860 + 45);
}

TEST(Watch, SamplesMayContinueForever) {
  Watch watch({}, at(0));
  watch.asked(1, std::nullopt, at(0));
  watch.told(1, "running repeatedly", at(0));
  for (int minute = 1; minute <= 600; ++minute) {
    watch.heard(at(60 * minute));
    ASSERT_EQ(complaint(watch, 60 * minute), "") << minute;
    watch.sampled(1, at(60 * minute));
  }
  watch.heard(at(36'150));
  EXPECT_TRUE(has(complaint(watch, 36'150), "stuck")) << "no further samples came";
}

TEST(Watch, LivingWorkersMustBeginARequest) {
  Watch watch({}, at(0));
  watch.asked(1, 3, at(0));
  watch.heard(at(100));
  EXPECT_EQ(complaint(watch, 104), "");
  watch.heard(at(700));
  EXPECT_TRUE(has(complaint(watch, 700), "did not begin a request for 600 s"));
  watch.told(1, "", at(700));
  watch.asked(2, 3, at(700));
  watch.heard(at(730));
  EXPECT_EQ(complaint(watch, 730), "") << "the second request waits for the first";
  watch.answered(1, at(730));
  watch.heard(at(1330));
  EXPECT_TRUE(has(complaint(watch, 1330), "did not begin"));
}

TEST(Watch, CancelledRequestsHaveLessTime) {
  Watch watch({}, at(0));
  watch.asked(1, 1000, at(0));
  watch.told(1, "running", at(0));
  watch.cancelled(1, at(5));
  watch.cancelled(1, at(9));
  watch.heard(at(14.5));
  EXPECT_EQ(watch.due(), at(15)) << "the first cancel counts";
  EXPECT_EQ(complaint(watch, 14.9), "");
  EXPECT_TRUE(has(complaint(watch, 15), "was cancelled, but the worker was stuck"));
}

TEST(Watch, ARequestWithoutALimitHasTheDefault) {
  Watch watch({}, at(0));
  watch.asked(1, std::nullopt, at(0));
  watch.told(1, "", at(0));
  watch.heard(at(149));
  EXPECT_EQ(complaint(watch, 149), "");
  watch.heard(at(150));
  EXPECT_TRUE(has(complaint(watch, 150), "stuck for 150 s"));
}

TEST(Watch, UnknownRequestsAndHugeLimitsAreHarmless) {
  Watch watch({}, at(0));
  watch.heard(at(0));
  watch.told(7, "x", at(0));
  watch.cancelled(7, at(0));
  watch.answered(7, at(0));
  EXPECT_EQ(watch.due(), std::nullopt);
  watch.asked(1, 1e300, at(0));
  watch.told(1, "x", at(0));
  watch.heard(at(1e6));
  EXPECT_EQ(complaint(watch, 1e6), "");
}

}  // namespace tilestep::worker::watch_test
