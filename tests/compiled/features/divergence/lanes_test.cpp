// SPDX-License-Identifier: Apache-2.0
#include "features/divergence/lanes.h"

#include <gtest/gtest.h>

#include "features/divergence/view.h"
#include "unit/features/divergence/traced_here.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::lanes_test {

constexpr uint32_t kEven = 0x55555555, kOdd = 0xaaaaaaaa, kAll = 0xffffffff;
const compile::Bindings kTunables{{"BLOCK", 64}, {"ROUNDS", 4}};

std::vector<uint32_t> masksOf(const WarpRows& warp) {
  std::vector<uint32_t> masks;
  for (const LaneRow& row : warp.rows) masks.push_back(row.mask);
  return masks;
}

TEST(Lanes, NeighboursThatDifferRunOnePathAfterTheOther) {
  const auto kernel = tracedHere("branch_thread_parity", {{"n", 64}}, kTunables);
  ASSERT_TRUE(kernel);
  const LanesPicture picture = lanesOf(*kernel);
  ASSERT_EQ(picture.warps.size(), 2U);
  ASSERT_FALSE(picture.paths.empty());
  // Compilers choose which path comes first.
  const uint32_t first = picture.paths.front().masks.front(), then = ~first;
  EXPECT_TRUE(first == kEven || first == kOdd);
  const std::vector<uint32_t> masks{first, first, first, first, then, then, then, then, kAll};
  for (const WarpRows& warp : picture.warps) {
    EXPECT_EQ(masksOf(warp), masks);
    EXPECT_EQ(warp.threads, kAll);
  }
  ASSERT_EQ(picture.paths.size(), 3U);
  EXPECT_EQ(picture.paths[0].name, "A");
  EXPECT_EQ(picture.paths[0].masks, (std::vector<uint32_t>{first, first}));
  EXPECT_EQ(picture.paths[1].name, "B");
  EXPECT_TRUE(picture.paths[2].all);
  EXPECT_EQ(picture.active, 2U * (8 * 16 + 32));
  EXPECT_EQ(picture.slots, 2U * 9 * 32);
  EXPECT_EQ(sourceLineOf(*kernel, picture.paths[0].lines.front()),
            first == kEven ? "value += 1.0f;" : "value += 2.0f;");
}

TEST(Lanes, WarpsThatAgreeTakeOnePathWithAllLanes) {
  const auto kernel = tracedHere("branch_warp_parity", {{"n", 64}}, kTunables);
  ASSERT_TRUE(kernel);
  const LanesPicture picture = lanesOf(*kernel);
  ASSERT_EQ(picture.paths.size(), 3U);
  EXPECT_EQ(picture.paths[0].masks, (std::vector<uint32_t>{kAll, 0}));
  EXPECT_TRUE(picture.paths[1].all);
  EXPECT_EQ(picture.paths[2].masks, (std::vector<uint32_t>{0, kAll}));
  for (const WarpRows& warp : picture.warps)
    EXPECT_EQ(masksOf(warp), std::vector<uint32_t>(5, kAll));
  EXPECT_EQ(picture.active, picture.slots);
}

TEST(Lanes, APredicatedIfHasOnePath) {
  const auto kernel = tracedHere("branch_predicate", {{"n", 64}}, kTunables);
  ASSERT_TRUE(kernel);
  const LanesPicture picture = lanesOf(*kernel);
  ASSERT_EQ(picture.paths.size(), 1U);
  EXPECT_TRUE(picture.paths[0].all);
  EXPECT_EQ(branchFiguresOf(*kernel->result)->divergent, 0U);
  EXPECT_EQ(branchFiguresOf(*kernel->result)->efficiency, 1);
}

TEST(Lanes, FiguresEqualTheInterpretersCounts) {
  lab::RunResult result;
  EXPECT_FALSE(branchFiguresOf(result));
  trace::Counters& total = result.counters.emplace().total;
  total.threadInstructions = 1600;
  EXPECT_FALSE(branchFiguresOf(result)) << "a GPU counts no branches";
  total.warpInstructions = 100;
  total.branches = 20;
  total.divergentBranches = 5;
  const auto figures = branchFiguresOf(result);
  ASSERT_TRUE(figures);
  EXPECT_EQ(figures->efficiency, 0.75);
  EXPECT_EQ(figures->activeLanes, 0.5);
  total.branches = total.divergentBranches = 0;
  EXPECT_EQ(branchFiguresOf(result)->efficiency, 1) << "no branch, none that diverges";
}

TEST(Lanes, AStepNamesItsActiveLanes) {
  const auto kernel = tracedHere("branch_thread_parity", {{"n", 64}}, kTunables);
  ASSERT_TRUE(kernel);
  const auto sentence = [&](size_t step) {
    return lanesSentence(*makeStep(kernel, trace::StepGranularity::event, step));
  };
  const std::string first = sentence(0);  // Compilers choose which path comes first.
  EXPECT_TRUE(first == "Warp 0, line 52: 16 of 32 lanes are on, 16 are off." ||
              first == "Warp 0, line 56: 16 of 32 lanes are on, 16 are off.")
      << first;
  EXPECT_EQ(sentence(8), "Warp 0, line 59: all 32 lanes are on.");
  EXPECT_EQ(lanesSentence(*makeStep(kernel, trace::StepGranularity::epoch, 0)),
            "This step is several instructions; press 3 to step through them one by one.");
}

class LanesSession : public SessionFixture {
 protected:
  void SetUp() override {
    open();
    settle();
  }
  const DivergenceView& lanes() { return next().view<DivergenceView>(); }
};

TEST_F(LanesSession, AreMadeOnlyWhileVisibleAndFollowTheSteps) {
  EXPECT_FALSE(lanes().picture);
  session->apply(command("divergence.watch", true));
  ASSERT_TRUE(lanes().picture);
  const auto picture = lanes().picture;
  session->apply(command("steps.grain", trace::StepGranularity::event));
  session->apply(command("steps.go", 3));
  EXPECT_EQ(lanes().firstEvent, 3U);
  EXPECT_EQ(lanes().lastEvent, 3U);
  EXPECT_EQ(lanes().picture, picture) << "made once";
  session->apply(command("steps.move", Move::back));
  EXPECT_EQ(lanes().lastEvent, 2U);
  session->apply(command("divergence.watch", false));
  EXPECT_FALSE(lanes().picture);
}

}  // namespace tilestep::features::lanes_test
