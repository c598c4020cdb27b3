// SPDX-License-Identifier: Apache-2.0
// Scenes of blocks that are too large for one arrow per load.
#include "features/scene/panel_overview.h"

#include <gtest/gtest.h>

#include "features/scene/panel_model.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::panel_overview_test {

class Overview : public model::SessionFixture {
 protected:
  /// Opens naive and tiled with this tile width, and moves `steps` steps forward.
  void open(int64_t width, int steps = 0) {
    model::SessionFixture::open();
    settle();
    session->apply(model::command("tuning.set", "TILE_WIDTH", width));
    settle();
    for (int i = 0; i < steps; ++i)
      session->apply(model::command("steps.move", model::Move::forward));
    next();
    ASSERT_TRUE(kept->main && kept->companion);
    tiled = builder.build(1, kept->main, kept->companion.get(), {});
    naive = builder.build(0, kept->companion, kept->main.get(), {});
  }
  static float widest(const gfx::SceneModel& scene) {
    float most = 0;
    for (const gfx::Ribbon& ribbon : scene.ribbons) most = std::max(most, ribbon.share);
    return most;
  }

  SceneBuilder builder;
  std::shared_ptr<const gfx::SceneModel> naive, tiled;
};

TEST_F(Overview, SmallBlocksHaveAnArrowForEachLoad) {
  open(4);
  EXPECT_FALSE(tiled->overview);
  EXPECT_TRUE(tiled->ribbons.empty());
  EXPECT_FALSE(tiled->sample);
  EXPECT_EQ(tiled->links.size(), 32U);
  EXPECT_EQ(naive->links.size(), 128U);
}

TEST_F(Overview, LargeBlocksHaveRibbonsOnOneScaleAndNoArrows) {
  open(8);
  EXPECT_TRUE(tiled->overview && naive->overview);
  EXPECT_TRUE(tiled->links.empty() && naive->links.empty());
  ASSERT_EQ(naive->ribbons.size(), 2U);
  ASSERT_EQ(tiled->ribbons.size(), 2U);
  EXPECT_EQ(naive->ribbons[0].label, "512 loads");
  EXPECT_EQ(tiled->ribbons[0].label, "64 loads");
  EXPECT_FLOAT_EQ(widest(*naive), 1);
  EXPECT_FLOAT_EQ(widest(*tiled), 1.0F / 8);
  EXPECT_EQ(tiled->ribbons[0].from.area, (gfx::CellRect{0, 0, 8, 8}));
  EXPECT_EQ(tiled->ribbons[0].to.area, (gfx::CellRect{0, 0, 8, 8}));
}

TEST_F(Overview, ComputeStepReadsWhatTheNaiveKernelLoads) {
  open(8, 1);
  ASSERT_EQ(tiled->ribbons.size(), 2U);
  EXPECT_EQ(tiled->ribbons[0].label, "512 reads");
  EXPECT_FLOAT_EQ(widest(*tiled), 1);
  ASSERT_TRUE(tiled->sample);
  EXPECT_FALSE(tiled->sample->fromGlobal);
  EXPECT_EQ(tiled->sample->dots, (std::vector<uint32_t>{16, 16, 16, 16}));
}

TEST_F(Overview, FourThreadsAreShownEnlargedWithACaption) {
  open(8);
  ASSERT_TRUE(tiled->sample && naive->sample);
  EXPECT_EQ(naive->sample->caption, "4 of 64 threads");
  EXPECT_EQ(naive->sample->dots, (std::vector<uint32_t>{16, 16, 16, 16}));
  EXPECT_EQ(tiled->sample->dots, (std::vector<uint32_t>{2, 2, 2, 2}));
  EXPECT_EQ(naive->sample->most, 16U);
  EXPECT_EQ(tiled->sample->most, 16U);
  EXPECT_TRUE(tiled->sample->fromGlobal);
}

TEST_F(Overview, FlowsAddUpToTheLoadsInTheSentence) {
  open(8);
  uint64_t loads = 0;
  for (const auto& [flow, count] : flowsOf(*kept->companion)) loads += count;
  EXPECT_EQ(loads, 1024U);
  EXPECT_TRUE(has(kept->sentence, "1,024 element loads"));
}

TEST_F(Overview, FollowedThreadKeepsItsArrows) {
  open(8);
  session->apply(model::command("threads.choose", Dim3{1, 2, 0}));
  next();
  const auto* threads = kept->views.get<ThreadsView>();
  ASSERT_TRUE(threads != nullptr && threads->companion);
  SceneLook look;
  look.thread = threads->companion.get();
  naive = builder.build(0, kept->companion, kept->main.get(), look);
  EXPECT_TRUE(naive->isolated);
  ASSERT_EQ(naive->links.size(), 16U);
  for (const gfx::Link& link : naive->links) EXPECT_TRUE(link.highlighted);
}

}  // namespace tilestep::features::panel_overview_test
