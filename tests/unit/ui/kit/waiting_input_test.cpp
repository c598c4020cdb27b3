// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/waiting_input.h"

#include <gtest/gtest.h>
#include <imgui.h>

namespace tilestep::ui {
namespace waiting_input_test {

void drawFrame() {
  ImGui::NewFrame();
  ImGui::Begin("window");
  ImGui::End();
  ImGui::EndFrame();
}

/// A text and the key that ends it, which come at once on a busy machine.
TEST(WaitingInput, IsSeenUntilFramesHaveTakenIt) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {640, 480};
  io.DeltaTime = 1.0F / 60;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  drawFrame();
  EXPECT_FALSE(hasWaitingInput());
#if IMGUI_VERSION_NUM >= 18700
  for (const bool isDown : {true, false, true, false}) io.AddKeyEvent(ImGuiKey_Enter, isDown);
  drawFrame();
  EXPECT_TRUE(hasWaitingInput());
  for (int i = 0; i < 4; ++i) drawFrame();
#endif
  EXPECT_FALSE(hasWaitingInput());
  ImGui::DestroyContext();
}

}  // namespace waiting_input_test
}  // namespace tilestep::ui
