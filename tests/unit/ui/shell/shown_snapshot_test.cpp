// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/shown_snapshot.h"

#include <gtest/gtest.h>

namespace tilestep::ui {
namespace {

using Pointer = ShownSnapshot::Pointer;

Pointer snapshot() {
  return std::make_shared<const model::Snapshot>();
}

TEST(ShownSnapshot, IsTheLatestIfHandlingAnswersIsFast) {
  ShownSnapshot shown;
  const Pointer first = snapshot(), second = snapshot();
  EXPECT_EQ(shown.forFrame(first, false), first);
  EXPECT_EQ(shown.forFrame(second, false), second);
}

TEST(ShownSnapshot, IsTheEarlierOnceIfHandlingAnswersIsSlow) {
  ShownSnapshot shown;
  const Pointer first = snapshot(), second = snapshot();
  EXPECT_EQ(shown.forFrame(first, true), first) << "nothing was drawn before";
  EXPECT_FALSE(shown.isBehind());
  EXPECT_EQ(shown.forFrame(second, true), first);
  EXPECT_TRUE(shown.isBehind());
  EXPECT_EQ(shown.forFrame(second, false), second);
  EXPECT_FALSE(shown.isBehind());
}

TEST(ShownSnapshot, IsTheLatestAtLeastInEverySecondFrame) {
  ShownSnapshot shown;
  Pointer latest = snapshot();
  EXPECT_EQ(shown.forFrame(latest, false), latest);
  for (int i = 0; i < 4; ++i) {
    const Pointer before = latest;
    latest = snapshot();
    EXPECT_EQ(shown.forFrame(latest, true), before);
    latest = snapshot();
    EXPECT_EQ(shown.forFrame(latest, true), latest);
  }
}

}  // namespace
}  // namespace tilestep::ui
