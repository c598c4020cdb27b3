// SPDX-License-Identifier: Apache-2.0
// A step about occupancy shows it without changing the user's own choice of plots.
#include <algorithm>
#include <functional>

#include "base/files.h"
#include "features/lessons/view.h"
#include "ui/shell/keys.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::lesson_occupancy_test {

constexpr const char* kLesson =
    "# A\n"
    "## about occupancy\n"
    "```toml\nkernel = \"matmul_tiled\"\nsize = 4\noccupancy = true\n```\n"
    "Look.\n"
    "## about something else\n"
    "```toml\nkernel = \"matmul_tiled\"\nsize = 4\n```\n"
    "Look on.\n";
constexpr const char* kOther =
    "# B\n"
    "## one\n"
    "```toml\nkernel = \"matmul_tiled\"\nsize = 4\n```\n"
    "Look.\n";

class LessonOnOccupancy : public NullWindow {
 protected:
  void SetUp() override {
    connect();
    draw();
    openLesson("occupancy", kLesson);
    ASSERT_TRUE(showsOccupancy());
  }
  void openLesson(const std::string& name, const char* text) {
    const std::string file = testing::TempDir() + "/panel_" + name + "_test.md";
    ASSERT_TRUE(writeFileAtomically(file, text));
    session->apply(model::command("lessons.open", file));
    draw();
  }
  void press(gfx::KeyEvent key) {
    (void)handleKeys({key}, *session, ui, false, false);
    draw();
  }
  [[nodiscard]] bool showsOccupancy() const {
    return ui.boxOf("occupancy").height > 0 && ui.boxOf("gains").height <= 0;
  }
  void goTo(int step) {
    session->apply(model::command("lessons.step", step));
    draw();
  }
};

TEST_F(LessonOnOccupancy, RestoresTheUsersChoice) {
  const std::vector<std::pair<const char*, std::function<void()>>> ways{
      {"Close",
       [&] {
         session->apply(model::command("lessons.close"));
         draw();
       }},
      {"Esc", [&] { press({.key = gfx::Key::escape}); }},
      {"another lesson", [&] { openLesson("other", kOther); }},
      {"another step", [&] { goTo(1); }}};
  for (const auto& [name, leave] : ways)
    for (const bool alone : {false, true}) {
      ui.occupancyAlone = alone;
      ui.plot = model::PlotKind::speed;
      openLesson("occupancy", kLesson);
      goTo(0);
      EXPECT_TRUE(showsOccupancy()) << name;
      EXPECT_EQ(ui.shownPlot(), model::PlotKind::occupancy) << "in a presentation";
      EXPECT_EQ(ui.occupancyAlone, alone) << name;
      EXPECT_EQ(ui.plot, model::PlotKind::speed) << name;
      leave();
      EXPECT_EQ(ui.showsOccupancyAlone(), alone) << name;
      EXPECT_EQ(showsOccupancy(), alone) << name;
      EXPECT_EQ(ui.shownPlot(), model::PlotKind::speed) << name;
    }
}

TEST_F(LessonOnOccupancy, YieldsToTheUsersChoice) {
  press({.text = U'o'});
  EXPECT_FALSE(showsOccupancy());
  EXPECT_FALSE(ui.occupancyAlone);
  press({.text = U'o'});
  EXPECT_TRUE(showsOccupancy());
  EXPECT_TRUE(ui.occupancyAlone) << "chosen by the user";
  press({.text = U'v'});
  EXPECT_NE(ui.shownPlot(), model::PlotKind::occupancy);
  ui.occupancyAlone = false;
  goTo(1);
  goTo(0);
  EXPECT_TRUE(showsOccupancy()) << "the step was entered again";
}

TEST_F(LessonOnOccupancy, KeepsTheSlidersInTheLessonDensity) {
  ui.density = model::Density::lesson;
  useFonts(1366, 768, 1);
  draw(1366, 768);
  EXPECT_TRUE(showsOccupancy());
  const gfx::Box plot = ui.boxOf("occupancy");
  const std::vector<gfx::TextShape> texts = drawnTexts();
  EXPECT_TRUE(std::ranges::any_of(texts, [&](const gfx::TextShape& text) {
    return text.text == "TILE_WIDTH" && text.box.x >= plot.x && text.box.y < plot.y;
  }));
}

}  // namespace tilestep::features::lesson_occupancy_test
