// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/palette.h"

#include <gtest/gtest.h>

#include "features/tuning/view.h"
#include "ui/shell/keys.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::palette_test {

TEST(Palette, FindsItemsByPartsOfTheirWordsInAnyOrder) {
  const PaletteItem item{"Kernel: Tiled product", "matmul_tiled", {}};
  EXPECT_TRUE(matches(item, ""));
  EXPECT_TRUE(matches(item, "TILED"));
  EXPECT_TRUE(matches(item, "prod  matmul"));
  EXPECT_FALSE(matches(item, "tiled naive"));
}

class PaletteWindow : public NullWindow {
 protected:
  void press(gfx::KeyEvent event) {
    (void)handleKeys({event}, *session, ui, ui.typing, false);
    draw();
  }
  void open() {
    gfx::KeyEvent event;
    event.key = gfx::keyOf('K');
    event.control = true;
    press(event);
  }
  void type(const char* text) {
    ImGui::GetIO().AddInputCharactersUTF8(text);
    draw();
  }
  void press(gfx::Key key) {
    gfx::KeyEvent event;
    event.key = key;
    press(event);
  }
};

TEST_F(PaletteWindow, EnterChoosesTheFirstMatch) {
  connect();
  draw();
  open();
  ASSERT_TRUE(ui.palette.open);
  type("kernel matmul_naive");
  press(gfx::Key::enter);
  EXPECT_FALSE(ui.palette.open);
  draw();
  EXPECT_EQ(session->snapshot()->choice.kernel, "matmul_naive");
}

TEST_F(PaletteWindow, OnAGpuItSearchesForTheBestTunablesAndCancels) {
  log->gpu = true;
  connect();
  draw();
  const auto searches = [&] {
    return session->snapshot()->view<features::TuningView>().search.running;
  };
  for (const bool running : {true, false}) {
    open();
    type(running ? "find the best" : "cancel the search");
    press(gfx::Key::enter);
    draw();
    EXPECT_EQ(searches(), running);
  }
}

TEST_F(PaletteWindow, TypingMarksTheFirstMatchAgain) {
  connect();
  draw();
  open();
  type("kernel");
  press(gfx::Key::enter);
  draw();
  const std::string first = session->snapshot()->choice.kernel;
  open();
  press(gfx::Key::down);
  press(gfx::Key::down);
  type("kernel");
  EXPECT_EQ(ui.palette.at, 0);
  press(gfx::Key::enter);
  draw();
  EXPECT_EQ(session->snapshot()->choice.kernel, first);
}

TEST_F(PaletteWindow, ArrowsMoveTheMarkAndEscapeChangesNothing) {
  connect();
  draw();
  const std::string before = session->snapshot()->choice.kernel;
  open();
  press(gfx::Key::down);
  press(gfx::Key::down);
  press(gfx::Key::up);
  EXPECT_EQ(ui.palette.at, 1);
  press(gfx::Key::escape);
  EXPECT_FALSE(ui.palette.open);
  EXPECT_EQ(session->snapshot()->choice.kernel, before);
}

}  // namespace tilestep::ui::palette_test
