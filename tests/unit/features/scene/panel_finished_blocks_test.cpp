// SPDX-License-Identifier: Apache-2.0
// The results of earlier blocks stay in the scene.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "features/scene/panel_values.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::panel_finished_blocks_test {

class FinishedBlocks : public model::SessionFixture {
 protected:
  void SetUp() override {
    open();
    settle();
    first_ = *kept->main;
    session->apply(model::command("steps.move", model::Move::last));
    last_ = next().main;
  }
  /// The first step of the block to the right of the traced block, which has not written anything.
  [[nodiscard]] model::TracedStep neighbour() const {
    model::TracedStep step = first_;
    constexpr uint64_t kBlock = 4 * sizeof(float);
    for (trace::OutputElement& element : step.state.outputs) element.place.offset += kBlock;
    return step;
  }
  /// The number of output elements drawn as computed.
  static size_t computed(const std::vector<SceneValues>& outputs) {
    size_t count = 0;
    for (const SceneValues& values : outputs)
      if (values.picture)
        count += static_cast<size_t>(std::ranges::count_if(
            values.picture->values, [](float value) { return !std::isnan(value); }));
    return count;
  }

  model::TracedStep first_;
  std::shared_ptr<const model::TracedStep> last_;
};

TEST_F(FinishedBlocks, StayWhenTheNextBlockIsStepped) {
  EXPECT_EQ(computed(valuesOfOutputs(first_, {})), 0U);
  EXPECT_EQ(computed(valuesOfOutputs(*last_, {})), 16U) << "a block of 4 × 4";
  const auto finished = finishedBefore(*last_->side, *last_, {});
  EXPECT_EQ(computed(valuesOfOutputs(neighbour(), finished)), 16U);
}

TEST_F(FinishedBlocks, RestartedBlockIsNotFinished) {
  const auto finished = finishedBefore(*last_->side, *last_, {});
  EXPECT_EQ(computed(valuesOfOutputs(first_, finished)), 0U);
}

TEST_F(FinishedBlocks, PartlySteppedBlockIsNotFinished) {
  EXPECT_TRUE(finishedBefore(*first_.side, first_, {}).empty());
}

TEST_F(FinishedBlocks, AreForgottenWithTheLaunch) {
  const auto finished = finishedBefore(*last_->side, *last_, {});
  ASSERT_EQ(finished.size(), 16U);
  session->apply(model::command("tuning.set", std::string("TILE_WIDTH"), int64_t{2}));
  settle();
  EXPECT_TRUE(finishedBefore(*kept->main->side, *last_, finished).empty());
}

}  // namespace tilestep::features::panel_finished_blocks_test
