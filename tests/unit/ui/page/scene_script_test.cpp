// SPDX-License-Identifier: Apache-2.0
#include "ui/page/scene_script.h"

#include <gtest/gtest.h>

#include "unit/ui/null_window.h"

namespace tilestep::ui::scene_script_test {

class SceneScriptTest : public NullWindow {
 protected:
  /// The indices of the steps that were recorded.
  std::vector<size_t> taken(SceneScript& script) {
    std::vector<size_t> steps;
    for (int i = 0; i < 200 && !script.ended(); ++i) {
      draw();
      if (!script.advance(*session, true, now)) continue;
      steps.push_back(session->snapshot()->position.index);
      script.taken(*session, {});
    }
    return steps;
  }
};

TEST_F(SceneScriptTest, GoesFromTheFirstStepToTheLast) {
  connect();
  session->apply(model::command("steps.move", model::Move::last));
  draw();
  SceneScript script;
  const std::vector<size_t> steps = taken(script);
  ASSERT_EQ(steps.size(), session->snapshot()->position.size);
  for (size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(steps[i], i);
  EXPECT_EQ(script.trouble(), "");
}

TEST_F(SceneScriptTest, EndsAtItsLimit) {
  connect();
  draw();
  SceneScript script(3);
  EXPECT_EQ(taken(script), (std::vector<size_t>{0, 1, 2}));
  EXPECT_EQ(script.progress().all, 3U);
}

TEST_F(SceneScriptTest, ReportsAMissingScene) {
  SceneScript script;
  EXPECT_TRUE(taken(script).empty());
  EXPECT_NE(script.trouble(), "");
}

}  // namespace tilestep::ui::scene_script_test
