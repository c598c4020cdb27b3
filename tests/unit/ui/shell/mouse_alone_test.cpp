// SPDX-License-Identifier: Apache-2.0
// The views that a user finds with only the mouse, from the few panels of a first start.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "features/phases/view.h"
#include "features/sweeps/view.h"
#include "gfx/drawing/frame_drawing.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::mouse_alone_test {

/// The text to click, and the view that appears, by the id of its table.
struct Way {
  std::string view;
  std::vector<std::string> clicks;
};

const std::vector<Way> kWays{{"roofline", {"show all", "roofline"}},
                             {"live", {"show all", "live"}},
                             {"sweep", {"show all", "sweeps"}},
                             {"sweep", {"show all", "sweeps", "ladder"}},
                             {"timeline", {"show all", "timeline"}},
                             {"runs", {"show all", "runs"}},
                             {"phases", {"show all", "phase table"}},
                             {"phases", {"show all", "4 × 4 example"}},
                             {"threads", {"show all"}},
                             {"warp", {"show all", "Warp"}},
                             {"thread", {"show all", "Thread"}},
                             {"ptx", {"show all", "PTX"}},
                             {"source", {}}};

struct Size {
  float width, height;
};

class MouseAloneTest : public NullWindow {
 protected:
  void SetUp() override { connect(); }

  /// Clicks on the middle of a text; false if it is not on screen.
  bool click(const std::string& label, Size size) {
    const gfx::Drawing drawing = gfx::drawingOf(*ImGui::GetDrawData(), {});
    const auto at = std::ranges::find_if(drawing.shapes, [&](const gfx::Shape& shape) {
      const auto* text = std::get_if<gfx::TextShape>(&shape.what);
      return text != nullptr && text->text == label;
    });
    if (at == drawing.shapes.end()) return false;
    const gfx::Point middle = gfx::boundsOf(*at).center();
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {middle.x, middle.y};
    for (const bool down : {true, false}) {
      io.MouseDown[ImGuiMouseButton_Left] = down;
      draw(size.width, size.height);
    }
    io.MousePos = {-1, -1};
    draw(size.width, size.height);
    return true;
  }
};

TEST_F(MouseAloneTest, EachViewTakesAtMostThreeClicksAtEverySize) {
  for (const Size size : {Size{1024, 640}, Size{1600, 1000}})
    for (const Way& way : kWays) {
      SCOPED_TRACE(way.view + " at " + std::to_string(size.width));
      ui = {};
      ui.density = model::Density::lesson;
      session->apply(model::command("phases.table", false));
      useFonts(size.width, size.height, 1);
      draw(size.width, size.height);
      size_t clicks = 0;
      for (const std::string& label : way.clicks) {
        ++clicks;
        if (click(label, size)) continue;
        ++clicks;  // In a narrow window, the text is in a list.
        ASSERT_TRUE(click("more", size) && click(label, size)) << label;
      }
      EXPECT_LE(clicks, 3U);
      EXPECT_GT(ui.boxOf(way.view).height, 0);
    }
}

}  // namespace tilestep::ui::mouse_alone_test
