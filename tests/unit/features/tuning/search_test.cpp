// SPDX-License-Identifier: Apache-2.0
// The search for the best tunables, in the session.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "features/tuning/search_job.h"
#include "features/tuning/view.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::search_test {

namespace fs = std::filesystem;

class SearchTest : public SessionFixture {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("tilestep-search-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void openWithGpu(bool gpu = true) {
    log->gpu = gpu;
    SessionOptions options;
    options.pointsFile = (folder_ / "points.db").string();
    open(std::move(options));
    settle();
  }
  /// The toy worker's answer: the wider the tile, the faster, up to 11.
  static lab::RunResult answer(const lab::Experiment& experiment) {
    lab::RunResult result = toyResult(experiment);
    const auto width = result.plan.tunables.find("TILE_WIDTH");
    if (result.measurement && width != result.plan.tunables.end())
      result.measurement->medianMs = 1 + std::abs(static_cast<double>(width->second) - 11);
    if (experiment.check) {
      result.check.emplace();
      result.check->ok = true;
    }
    return result;
  }
  using Change = std::function<void(const lab::Experiment&, lab::RunResult&)>;
  /// Answers so many times; each answer is changed by `change`.
  void answerTimes(int times, const Change& change = {}) {
    for (int i = 0; i < times; ++i) {
      session->poll(now += 0.1);
      for (const FakeClient::Asked& asked : std::exchange(log->runs, {})) {
        asked_.push_back(asked.experiment);
        lab::RunResult result = answer(asked.experiment);
        if (change) change(asked.experiment, result);
        if (log->isCancelled(asked.id))
          log->answers.push_back({asked.id, workError("cancelled")});
        else
          log->answers.push_back({asked.id, lab::shared(std::move(result))});
      }
    }
    session->poll(now += 0.1);
  }
  [[nodiscard]] const TuningSearch& search() { return snapshot().view<TuningView>().search; }
  /// Until the legal choices are listed, which another thread does.
  void begin() {
    ASSERT_TRUE(session->apply(command("tuning.search")));
    for (int i = 0; i < 5000 && log->runs.empty(); ++i) {
      session->poll(now += 0.01);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_FALSE(log->runs.empty());
    asked_.clear();
  }
  /// Answers until the search is over and its choice is kept.
  void finish() {
    answerTimes(150);
    EXPECT_TRUE(pollUntil([&] { return notice("tuned") != nullptr; }));
  }
  std::string noticeText() {
    const Notice* said = notice("tuned");
    return said == nullptr ? "" : said->text;
  }

  fs::path folder_;
  std::vector<lab::Experiment> asked_;
};

TEST_F(SearchTest, FindsTheFastestLegalChoiceChecksKeepsAndChoosesIt) {
  openWithGpu();
  EXPECT_TRUE(search().possible);
  begin();
  EXPECT_TRUE(search().running);
  finish();
  EXPECT_FALSE(search().running);
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 11);
  EXPECT_TRUE(pollUntil([&] { return snapshot().view<TuningView>().best.taken; }));
  EXPECT_TRUE(has(noticeText(), "TILE_WIDTH 11", "faster than the defaults"));
  EXPECT_TRUE(std::ranges::any_of(asked_, [](const lab::Experiment& one) {
    return one.check && one.tunables.at("TILE_WIDTH") == 11;
  }));
  EXPECT_TRUE(has(noticeText(), "It is kept"));
  session->undo();
  next();
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 4) << "one undo takes them back";
}

TEST_F(SearchTest, TellsHowFarItIsAndWhatIsFastestSoFar) {
  openWithGpu();
  begin();
  answerTimes(5);
  EXPECT_GT(search().share, 0);
  EXPECT_LT(search().share, 1);
  EXPECT_TRUE(has(search().text, "The fastest so far: TILE_WIDTH "));
}

TEST_F(SearchTest, ACancelKeepsNothingAndNamesTheFastestSoFar) {
  openWithGpu();
  begin();
  answerTimes(5);
  session->apply(command("tuning.cancel"));
  answerTimes(3);
  EXPECT_FALSE(search().running);
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 4);
  EXPECT_FALSE(snapshot().view<TuningView>().best.known);
  EXPECT_TRUE(has(noticeText(), "The fastest so far was TILE_WIDTH "));
}

TEST_F(SearchTest, EndsOnceItsTimeIsUp) {
  openWithGpu();
  begin();
  now += SearchJob::kSeconds;
  finish();
  EXPECT_FALSE(search().running);
  EXPECT_TRUE(has(noticeText(), "The fastest of 1 timed"));
}

TEST_F(SearchTest, EndsOnceItsTimeIsUpThoughEveryRunFails) {
  openWithGpu();
  begin();
  int answered = 0;
  for (; answered < 100 && search().running; ++answered) {
    for (const FakeClient::Asked& asked : std::exchange(log->runs, {}))
      log->answers.push_back({asked.id, requestError("the kernel stopped.")});
    session->poll(now += 30);
    session->poll(now += 0.1);
  }
  EXPECT_FALSE(search().running);
  EXPECT_LT(answered, 8);
  EXPECT_TRUE(has(noticeText(), "no choice could be timed: the kernel stopped."));
  EXPECT_FALSE(has(noticeText(), ".."));
}

TEST_F(SearchTest, TimeInWhichMoreUrgentRunsHoldItUpDoesNotCount) {
  openWithGpu();
  begin();
  session->apply(command("choice.kernel", std::string("matmul_naive")));
  session->poll(now += 0.1);
  EXPECT_TRUE(has(search().text, "It waits for more urgent runs."));
  session->poll(now += 2 * SearchJob::kSeconds);
  answerTimes(20);
  EXPECT_TRUE(search().running) << noticeText();
  EXPECT_FALSE(has(search().text, "waits"));
}

TEST_F(SearchTest, AnotherKernelMeanwhileKeepsItsOwnTunables) {
  openWithGpu();
  begin();
  answerTimes(3);
  session->apply(command("choice.kernel", std::string("matmul_naive")));
  const auto before = next().choice.tunables;
  finish();
  EXPECT_FALSE(search().running);
  EXPECT_EQ(snapshot().choice.tunables, before);
  EXPECT_TRUE(has(noticeText(), "matmul_tiled"));
}

TEST_F(SearchTest, AWorkerThatIsLostAgainAndAgainEndsItWithTheReason) {
  openWithGpu();
  begin();
  for (int i = 0; i < 12 && search().running; ++i) {
    for (const FakeClient::Asked& asked : std::exchange(log->runs, {}))
      log->answers.push_back({asked.id, workError("the worker ended"), true});
    session->poll(now += 0.1);
    session->poll(now += 0.1);
  }
  EXPECT_FALSE(search().running);
  EXPECT_TRUE(has(noticeText(), "lost three times"));
}

TEST_F(SearchTest, NeedsAGpu) {
  openWithGpu(false);
  EXPECT_FALSE(search().possible);
  EXPECT_FALSE(session->apply(command("tuning.search")));
}

}  // namespace tilestep::features::search_test
