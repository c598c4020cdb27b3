// SPDX-License-Identifier: Apache-2.0
// Whatever the pointer can press, the keyboard reaches: by walking (Tab, Ctrl+Tab, arrows), or by a
// key that `?` names.
#include <imgui_internal.h>

#include <map>
#include <set>

#include "unit/ui/null_window.h"

namespace tilestep::ui {
namespace {

/// Presses what needs no walk: the scene (arrows with Ctrl, Alt and Shift), its scrubber (arrows,
/// Home, End, J) and the splitters (Ctrl and Shift with F2, F3, F4).
bool hasKeysOfItsOwn(const std::string& window) {
  return window.rfind("##scene", 0) == 0 || window.rfind("##grip", 0) == 0;
}

class Walk : public NullWindow {
 protected:
  static constexpr float kWidth = 1600, kHeight = 1000;

  void frame(ImGuiDir arrow = ImGuiDir_None) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {kWidth, kHeight};
    io.DeltaTime = 1.0F / 60;
    session->poll(now += 0.016);
    const gfx::Palette palette = paletteOf(ui.theme);
    applyStyle(palette, fonts.textPixels);
    ImGui::NewFrame();
    if (arrow != ImGuiDir_None)
      ImGui::NavMoveRequestSubmit(arrow, arrow, ImGuiNavMoveFlags_None, ImGuiScrollFlags_None);
    const auto snapshot = session->snapshot();
    const Context context{*snapshot, *session, ui, palette, fonts, fonts.textPixels, now};
    interface.draw(context, 1, static_cast<int>(kHeight));
    ImGui::Render();
  }

  /// What lies under the pointer anywhere: its id, and the window it is in.
  std::map<ImGuiID, std::string> underThePointer() {
    std::map<ImGuiID, std::string> found;
    for (float y = 6; y < kHeight; y += 14) {
      for (float x = 6; x < kWidth; x += 22) {
        ImGui::GetIO().MousePos = {x, y};
        frame();
        const ImGuiContext& g = *ImGui::GetCurrentContext();
        if (g.HoveredId != 0 && g.HoveredWindow != nullptr)
          found[g.HoveredId] = g.HoveredWindow->Name;
      }
    }
    ImGui::GetIO().MousePos = {-1, -1};
    frame();
    return found;
  }

  /// All that arrows reach in a window, and in the windows in it.
  std::set<ImGuiID> reachedIn(const char* window) {
    std::set<ImGuiID> reached;
    ImGui::SetWindowFocus(window);
    frame();
    for (int round = 0; round < 6; ++round) {
      for (const ImGuiDir direction :
           {ImGuiDir_Down, ImGuiDir_Right, ImGuiDir_Down, ImGuiDir_Left}) {
        for (int i = 0; i < 60; ++i) {
          frame(direction);
          if (i % 3 == 2 && direction == ImGuiDir_Down)
            for (int side = 0; side < 8; ++side) {
              frame(round % 2 == 0 ? ImGuiDir_Right : ImGuiDir_Left);
              reached.insert(ImGui::GetCurrentContext()->NavId);
            }
          reached.insert(ImGui::GetCurrentContext()->NavId);
        }
      }
      for (int i = 0; i < 60; ++i) frame(ImGuiDir_Up);
    }
    return reached;
  }
};

TEST_F(Walk, EachButtonIsReached) {
  connect();
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  for (int i = 0; i < 3; ++i) frame();
  const std::map<ImGuiID, std::string> buttons = underThePointer();
  EXPECT_GT(buttons.size(), 30U);
  std::set<ImGuiID> reached;
  for (const char* window :
       {"##top", "##controls", "##source", "##step", "##measures", "##transport"})
    reached.merge(reachedIn(window));
  for (const auto& [id, window] : buttons) {
    if (hasKeysOfItsOwn(window)) continue;
    EXPECT_TRUE(reached.count(id)) << "an item of " << window << " is out of the keyboard's reach";
  }
}

}  // namespace
}  // namespace tilestep::ui
