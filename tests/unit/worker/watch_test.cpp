// SPDX-License-Identifier: Apache-2.0
#include "worker/watch.h"

#include <gtest/gtest.h>

namespace tilestep::worker {
namespace watch_test {

using Time = Watch::Time;

Time at(double seconds) {
  return Time() +
         std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(seconds));
}

std::string complaint(const Watch& watch, double seconds) {
  const auto error = watch.overdue(at(seconds));
  return error ? error->message : "";
}

TEST(Watch, ACommandHasTimeToStart) {
  const Watch watch({}, at(0));
  EXPECT_EQ(watch.due(), at(600));
  EXPECT_EQ(complaint(watch, 599), "");
  EXPECT_NE(complaint(watch, 600).find("did not answer for 600 s"), std::string::npos);
}

TEST(Watch, SilenceCountsWhileARequestIsOpen) {
  Watch watch({}, at(0));
  watch.heard(at(1));
  EXPECT_EQ(watch.due(), std::nullopt) << "an idle worker may be silent";
  EXPECT_EQ(complaint(watch, 1000), "");
  watch.asked(1, 60, at(1000));
  EXPECT_EQ(watch.due(), at(1005));
  EXPECT_EQ(complaint(watch, 1004.9), "");
  EXPECT_NE(complaint(watch, 1005).find("said nothing for 5.00 s"), std::string::npos);
  watch.heard(at(1004));
  EXPECT_EQ(complaint(watch, 1005), "");
  EXPECT_EQ(watch.due(), at(1009));
  watch.answered(1);
  EXPECT_EQ(watch.due(), std::nullopt);
}

TEST(Watch, ARequestsTimeStartsAgainWithItsProgress) {
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
  EXPECT_EQ(complaint(watch, 178), "") << "a new stage counts anew";
  beatUntil(179);
  EXPECT_NE(complaint(watch, 179).find("stuck while running on x for 40.0 s"), std::string::npos)
      << complaint(watch, 179);
  watch.answered(1);
  EXPECT_EQ(complaint(watch, 179), "");
}

TEST(Watch, ACancelledRequestHasLess) {
  Watch watch({}, at(0));
  watch.asked(1, 1000, at(0));
  watch.told(1, "running", at(0));
  watch.cancelled(1, at(5));
  watch.cancelled(1, at(9));
  watch.heard(at(14.5));
  EXPECT_EQ(watch.due(), at(15)) << "the first cancel counts";
  EXPECT_EQ(complaint(watch, 14.9), "");
  EXPECT_NE(complaint(watch, 15).find("was cancelled, but the worker was stuck"),
            std::string::npos);
}

TEST(Watch, WithoutALimitOfItsOwnARequestHasTheUntimed) {
  Watch watch({}, at(0));
  watch.asked(1, std::nullopt, at(0));
  watch.told(1, "", at(0));
  watch.heard(at(149));
  EXPECT_EQ(complaint(watch, 149), "");
  watch.heard(at(150));
  EXPECT_NE(complaint(watch, 150).find("stuck for 150 s"), std::string::npos);
}

TEST(Watch, AnswersToNobodyAndEndlessLimitsHarmNothing) {
  Watch watch({}, at(0));
  watch.heard(at(0));
  watch.told(7, "x", at(0));
  watch.cancelled(7, at(0));
  watch.answered(7);
  EXPECT_EQ(watch.due(), std::nullopt);
  watch.asked(1, 1e300, at(0));
  watch.told(1, "x", at(0));
  watch.heard(at(1e6));
  EXPECT_EQ(complaint(watch, 1e6), "");
}

}  // namespace watch_test
}  // namespace tilestep::worker
