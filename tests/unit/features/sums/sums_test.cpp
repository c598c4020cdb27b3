// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/sums/view.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model {
namespace sums_test {

class SumsSession : public SessionFixture {
 protected:
  void SetUp() override {
    open();
    settle();
  }
  const SumsView& sums() { return next().view<SumsView>(); }
};

TEST_F(SumsSession, IsMadeOnlyWhileItIsLookedAt) {
  EXPECT_FALSE(sums().tree);
  session->apply(command("sums.watch", true));
  ASSERT_TRUE(sums().tree);
  const auto tree = sums().tree;
  session->apply(command("steps.move", Move::forward));
  EXPECT_EQ(sums().tree, tree) << "made once";
  session->apply(command("sums.watch", false));
  EXPECT_FALSE(sums().tree);
}

TEST_F(SumsSession, SaysWhereThereIsNothingToShow) {
  session->apply(command("sums.watch", true));
  EXPECT_TRUE(sums().tree->rows.empty()) << "a product";
  EXPECT_NE(sums().sentence.find("This view is for reductions."), std::string::npos);
  EXPECT_TRUE(tableOf("sums", snapshot()).rows.empty());
}

TEST_F(SumsSession, TheLadderHoldsTheLabsKernels) {
  session->apply(command("sums.watch", true));
  settle();
  ASSERT_TRUE(sums().ladder);
  ASSERT_GE(sums().ladder->rungs.size(), 8U);
  EXPECT_EQ(sums().ladder->rungs.front().kernel, "reduce_neighbored");
  EXPECT_EQ(tableOf("sum_ladder", snapshot()).rows.size(), sums().ladder->rungs.size());
}

TEST_F(SumsSession, TheLadderIsCountedOnlyWhileItIsLookedAt) {
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

}  // namespace sums_test
}  // namespace tilestep::model
