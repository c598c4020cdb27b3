// SPDX-License-Identifier: Apache-2.0
// The legend of the scenes contains exactly the marks that occur.
#include "features/scene/panel_marks.h"

#include <algorithm>
#include <cmath>

#include "support/known_fonts.h"
#include "unit/gfx/sample_scene.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::scene_marks_test {

using gfx::SceneModel;

class SceneMarks : public NullWindow {
 protected:
  /// Whether the legend has an entry that begins with `begin`.
  bool has(const SceneModel& model, const std::string& begin) {
    auto layers = std::make_shared<gfx::Layers>();
    layers->model = std::make_shared<SceneModel>(model);
    const gfx::Palette palette = paletteOf(ui.theme);
    const Context context{shown, *session, ui, palette, fonts, fonts.textPixels, now};
    const auto marks = sceneMarks(context, {{0, layers, {}, {}, 1}});
    return std::ranges::any_of(
        marks, [&](const LegendMark& mark) { return mark.text.starts_with(begin); });
  }
  model::Snapshot shown;
};

TEST_F(SceneMarks, LegendListsOnlyMarksInTheScene) {
  SceneModel model = gfx::productScene(8, 8, 8, 4);
  model.links.clear();
  model.ribbons.clear();
  for (gfx::MatrixPanel& panel : model.panels) {
    panel.cells.clear();
    panel.highlights.clear();
    panel.picture = std::make_shared<gfx::Picture>(gfx::Picture{1, 1, {0.5F}});
  }
  for (gfx::SlotArray& array : model.arrays)
    for (gfx::Slot& slot : array.slots) slot = {};
  for (gfx::ThreadGrid& grid : model.threads)
    for (gfx::Accumulator& sum : grid.threads) sum = {};
  EXPECT_TRUE(has(model, "The values"));
  for (const char* absent : {"A load", "All of them", "Accessed", "What the chosen", "Belongs",
                             "How often", "A thread's sum", "Not written", "Wrong"})
    EXPECT_FALSE(has(model, absent)) << absent;

  model.links.push_back({});
  EXPECT_TRUE(has(model, "A load"));
  model.panels[0].cells.push_back({0, 0, gfx::Mark::now, 4});
  EXPECT_TRUE(has(model, "How often"));
  EXPECT_TRUE(has(model, "Accessed in this step"));
  EXPECT_FALSE(has(model, "Accessed in an earlier step"));
  model.panels[0].cells.push_back({0, 1, gfx::Mark::wrong, 0});
  EXPECT_TRUE(has(model, "Wrong"));
  model.panels[2].picture = std::make_shared<gfx::Picture>(gfx::Picture{1, 1, {std::nanf("")}});
  EXPECT_TRUE(has(model, "Not written"));
  model.threads[0].threads[0] = {.terms = 1, .ofTerms = 4};
  EXPECT_TRUE(has(model, "A thread's sum"));
}

}  // namespace tilestep::features::scene_marks_test
