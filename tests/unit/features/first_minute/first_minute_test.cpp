// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <utility>

#include "features/first_minute/view.h"
#include "features/threads/view.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::first_minute_test {

class FirstMinute : public SessionFixture {
 protected:
  void begin(bool gpu) {
    log->gpu = gpu;
    SessionOptions options;
    options.firstMinute = true;
    open(options);
    settle();
  }
  void press(const char* what) {
    session->apply(command(std::string("first_minute.") + what));
    settle();
  }
  /// Drags the slider and releases it.
  void drag(int64_t width) {
    session->apply(command("tuning.set", std::string("TILE_WIDTH"), width));
    settle();
    session->endGesture();
    settle();
  }
  int64_t width() { return snapshot().tunables.at("TILE_WIDTH"); }
  const FirstMinuteView& view() { return snapshot().view<FirstMinuteView>(); }
};

TEST_F(FirstMinute, IsHiddenUnlessRequested) {
  open();
  settle();
  EXPECT_FALSE(view().shown);
  press("begin");
  EXPECT_TRUE(view().shown);
}

TEST_F(FirstMinute, IsVisibleBeforeTheFirstRun) {
  SessionOptions options;
  options.firstMinute = true;
  open(options);
  next();
  ASSERT_FALSE(snapshot().main);
  EXPECT_TRUE(view().shown);
  EXPECT_EQ(view().part, MinutePart::alone);
  EXPECT_TRUE(view().text.ends_with("computes one element of P.")) << view().text;
  EXPECT_TRUE(view().covers);
  session->apply(command("first_minute.next"));
  next();
  EXPECT_EQ(view().part, MinutePart::alone) << "the next part has nothing to show yet";
  settle();
  EXPECT_EQ(view().part, MinutePart::alone);
  EXPECT_TRUE(view().text.ends_with("other threads load the rest.")) << view().text;
}

TEST_F(FirstMinute, BeginsWithoutWaitingForTimes) {
  log->gpu = true;
  SessionOptions options;
  options.firstMinute = true;
  open(options);
  for (int i = 0; i < 20; ++i) {
    next();
    for (const FakeClient::Asked& asked : std::exchange(log->runs, {}))
      if (!asked.experiment.measure)
        log->answers.push_back({asked.id, lab::shared(toyResult(asked.experiment))});
    if (!log->answers.empty()) waitForScene();
  }
  ASSERT_TRUE(next().busy.measure);
  EXPECT_TRUE(view().text.ends_with("other threads load the rest.")) << view().text;
  session->apply(command("first_minute.next"));
  next();
  EXPECT_EQ(view().part, MinutePart::together);
}

TEST_F(FirstMinute, OneKeyGoesThroughAllParts) {
  begin(true);
  std::vector<MinutePart> seen;
  std::vector<int64_t> widths;
  for (size_t i = 0; i < kMinuteParts; ++i) {
    ASSERT_TRUE(view().shown);
    EXPECT_FALSE(view().text.empty());
    EXPECT_EQ(view().covers, view().part <= MinutePart::guess);
    seen.push_back(view().part);
    widths.push_back(width());
    press("next");
  }
  for (size_t i = 0; i < kMinuteParts; ++i) EXPECT_EQ(seen[i], static_cast<MinutePart>(i));
  EXPECT_EQ(widths, (std::vector<int64_t>{4, 4, 4, 4, 16, 16, 16, 4, 16}));
  press("back");
  EXPECT_EQ(view().part, MinutePart::why);
}

TEST_F(FirstMinute, FollowsOneThreadAtFirstAndAllThreadsLater) {
  begin(false);
  EXPECT_NE(snapshot().view<ThreadsView>().main, nullptr);
  press("next");
  EXPECT_EQ(snapshot().view<ThreadsView>().main, nullptr);
}

TEST_F(FirstMinute, SkipsSpeedsWithoutTimes) {
  begin(false);
  for (int i = 0; i < 4; ++i) press("next");
  EXPECT_EQ(view().part, MinutePart::guess);
  EXPECT_TRUE(view().choices.empty());
  press("next");
  EXPECT_EQ(view().part, MinutePart::end);
}

TEST_F(FirstMinute, ContinuesWhenTheSliderIsReleasedAtTheRequestedValue) {
  begin(true);
  for (int i = 0; i < 3; ++i) press("next");
  ASSERT_EQ(view().part, MinutePart::widen);
  session->apply(command("tuning.set", std::string("TILE_WIDTH"), int64_t{16}));
  settle();
  EXPECT_EQ(view().part, MinutePart::widen) << "the slider is still being dragged";
  drag(8);
  EXPECT_EQ(view().part, MinutePart::widen) << "not the requested value";
  drag(15);
  EXPECT_EQ(view().part, MinutePart::guess);
  EXPECT_EQ(width(), 16) << "close enough, and exact afterwards";
}

TEST_F(FirstMinute, ReportsWhetherTheGuessWasRight) {
  begin(true);
  for (int i = 0; i < 4; ++i) press("next");
  ASSERT_EQ(view().choices.size(), 3U);
  session->apply(command("first_minute.answer", size_t{7}));
  settle();
  EXPECT_EQ(view().part, MinutePart::guess) << "invalid answer";
  std::vector<std::string> verdicts;
  for (size_t i = 0; i < 3; ++i) {
    session->apply(command("first_minute.answer", i));
    settle();
    EXPECT_EQ(view().part, MinutePart::answer);
    EXPECT_FALSE(view().covers);
    verdicts.push_back(view().text.substr(0, view().text.find('.')));
    press("back");
  }
  EXPECT_EQ(std::count(verdicts.begin(), verdicts.end(), "**Right"), 1);
}

TEST_F(FirstMinute, ClosingRestoresThePreviousState) {
  open();
  session->apply(command("choice.kernel", std::string("matmul_naive")));
  session->endGesture();
  settle();
  press("begin");
  EXPECT_EQ(snapshot().choice.kernel, "matmul_tiled");
  press("close");
  EXPECT_FALSE(view().shown);
  EXPECT_EQ(snapshot().choice.kernel, "matmul_naive");
}

TEST_F(FirstMinute, RestartingStillRestoresThePreviousState) {
  open();
  session->apply(command("choice.kernel", std::string("matmul_naive")));
  session->endGesture();
  settle();
  press("begin");
  press("next");
  press("begin");
  EXPECT_EQ(view().part, MinutePart::alone);
  press("close");
  EXPECT_EQ(snapshot().choice.kernel, "matmul_naive");
}

TEST_F(FirstMinute, EndsWhenAnotherKernelIsChosen) {
  begin(false);
  session->apply(command("choice.kernel", std::string("matmul_naive")));
  settle();
  EXPECT_FALSE(view().shown);
  EXPECT_EQ(snapshot().choice.kernel, "matmul_naive");
}

}  // namespace tilestep::features::first_minute_test
