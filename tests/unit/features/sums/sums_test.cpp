// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include "features/lab_times/view.h"
#include "features/sums/view.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::sums_test {

class SumsSession : public SessionFixture {
 protected:
  void SetUp() override {
    open();
    settle();
  }
  const SumsView& sums() { return next().view<SumsView>(); }
};

TEST_F(SumsSession, IsComputedOnlyWhileVisible) {
  EXPECT_FALSE(sums().tree);
  session->apply(command("sums.watch", true));
  ASSERT_TRUE(sums().tree);
  const auto tree = sums().tree;
  session->apply(command("steps.move", Move::forward));
  EXPECT_EQ(sums().tree, tree) << "computed once";
  session->apply(command("sums.watch", false));
  EXPECT_FALSE(sums().tree);
}

TEST_F(SumsSession, ExplainsWhyThereIsNothingToShow) {
  session->apply(command("sums.watch", true));
  EXPECT_TRUE(sums().tree->rows.empty()) << "a product";
  EXPECT_TRUE(has(sums().sentence, "This view is for reductions."));
  EXPECT_TRUE(tableOf("sums", snapshot()).rows.empty());
}

TEST_F(SumsSession, LadderContainsTheLabsKernels) {
  session->apply(command("sums.watch", true));
  settle();
  ASSERT_TRUE(sums().ladder);
  ASSERT_GE(sums().ladder->rungs.size(), 8U);
  EXPECT_EQ(sums().ladder->rungs.front().kernel, "reduce_neighbored");
  EXPECT_EQ(tableOf("sum_ladder", snapshot()).rows.size(), sums().ladder->rungs.size());
}

TEST_F(SumsSession, LadderIsCountedOnlyWhileVisible) {
  const auto counts = [&] {
    return std::ranges::count_if(all, [](const lab::Experiment& experiment) {
      const auto n = experiment.sizes.find("n");
      return experiment.counters && n != experiment.sizes.end() && n->second == kCountedElements;
    });
  };
  session->apply(command("sums.watch", true));
  settle();
  EXPECT_EQ(counts(), 0);
  session->apply(command("sums.ladder", true));
  settle();
  EXPECT_GT(counts(), 0);
}

class TimedSums : public SessionFixture {
 protected:
  void SetUp() override {
    log->gpu = true;
    open();
    settle();
    session->apply(command("sums.watch", true));
  }
  /// Answers requests with times, without traces.
  void settleTimes() {
    for (int i = 0; i < 40; ++i) {
      session->poll(now += 0.1);
      std::vector<FakeClient::Asked> others;
      for (const FakeClient::Asked& asked : std::exchange(log->runs, {})) {
        const auto n = asked.experiment.sizes.find("n");
        if (n == asked.experiment.sizes.end() || n->second < (1 << 20)) {
          others.push_back(asked);
          continue;
        }
        lab::RunResult result;
        result.measurement.emplace().medianMs = 0.5;
        log->answers.push_back({asked.id, lab::shared(std::move(result))});
      }
      log->runs = others;
      log->answerRuns();
      waitForScene();
    }
  }
  const LabTimesView& times() { return next().view<LabTimesView>(); }
};

TEST_F(TimedSums, LadderShowsItsLabsTimesEvenIfTheLabIsClosed) {
  settleTimes();
  EXPECT_TRUE(times().ladder.empty()) << "the ladder is hidden";
  session->apply(command("sums.ladder", true));
  settleTimes();
  const auto& rungs = next().view<SumsView>().ladder->rungs;
  ASSERT_EQ(times().ladder.size(), rungs.size());
  for (const SumRung& rung : rungs) {
    const LabTime* time = times().ladderTime(rung.kernel);
    ASSERT_TRUE(time) << rung.kernel;
    EXPECT_EQ(time->measuredSeconds, 0.5e-3) << rung.kernel;
  }
  EXPECT_FALSE(times().isComing());
  EXPECT_TRUE(times().rows.empty()) << "no lab is open";
  EXPECT_EQ(tableOf("sum_ladder", snapshot()).rows.front()[6], "0.0005");
  session->apply(command("sums.ladder", false));
  settleTimes();
  EXPECT_TRUE(times().ladder.empty());
}

}  // namespace tilestep::features::sums_test
