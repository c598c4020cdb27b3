// SPDX-License-Identifier: Apache-2.0
// The scene of a kernel that sums in memory, and the parts of a scene that an open question hides.
#include <gtest/gtest.h>

#include "features/scene/panel_model.h"
#include "unit/features/divergence/traced_here.h"

namespace tilestep::features::panel_sums_in_memory_test {

std::shared_ptr<const gfx::SceneModel> sceneAt(const std::string& kernel, size_t step,
                                               const SceneLook& look = {}) {
  const auto side =
      tracedHere(kernel, {{"m", 4}, {"n", 4}, {"k", 4}}, {{"BLOCK_X", 2}, {"BLOCK_Y", 2}});
  SceneBuilder builder;
  return builder.build(1, model::makeStep(side, trace::StepGranularity::event, step), nullptr,
                       look);
}

TEST(SceneOfSumsInMemory, HasNoRegistersAndLoadsGoToTheElement) {
  EXPECT_EQ(sceneAt("matmul_naive", 0)->threads.size(), 1U);
  const auto clear = sceneAt("matmul_in_memory", 0);
  EXPECT_TRUE(clear->threads.empty());
  EXPECT_TRUE(clear->links.empty()) << "no register is where the zero comes from";
  EXPECT_EQ(clear->caption, "clear");
  size_t loads = 0;
  for (size_t step = 0; step < 6; ++step) {
    const auto scene = sceneAt("matmul_in_memory", step);
    for (const gfx::Link& link : scene->links) {
      EXPECT_EQ(link.to.in, gfx::Place::In::panel);
      const auto& panels = clear->panels;
      ASSERT_LT(link.to.index, panels.size());
      EXPECT_EQ(panels[link.to.index].name, "P");
      ++loads;
    }
  }
  EXPECT_GT(loads, 0U);
}

TEST(SceneOfAnOpenQuestion, HidesRaces) {
  const auto side =
      tracedHere("matmul_naive", {{"m", 4}, {"n", 4}, {"k", 4}}, {{"BLOCK_X", 2}, {"BLOCK_Y", 2}});
  auto wrong = std::make_shared<model::TracedKernel>(*side);
  auto result = std::make_shared<lab::RunResult>(*wrong->result);
  result->hazards.emplace(2);
  wrong->result = result;
  const auto step = model::makeStep(wrong, trace::StepGranularity::event, 0);
  SceneBuilder builder;
  EXPECT_EQ(builder.build(1, step, nullptr, {})->warning, "2 races");
  SceneLook covered;
  covered.covered = true;
  EXPECT_EQ(builder.build(1, step, nullptr, covered)->warning, "");
}

}  // namespace tilestep::features::panel_sums_in_memory_test
