// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/hidden_frame.h"

#include <imgui_internal.h>

#include <algorithm>
#include <thread>

namespace tilestep::ui {

HiddenFrame::Current::Current(const HiddenFrame& frame) : before_(ImGui::GetCurrentContext()) {
  ImGui::SetCurrentContext(frame.own_);
}

HiddenFrame::Current::~Current() {
  ImGui::SetCurrentContext(before_);
}

HiddenFrame::HiddenFrame(const FontFiles& files, float scale, For use, float density)
    : own_(ImGui::CreateContext()), density_(density) {
  const Current current(*this);
  ImGui::GetIO().IniFilename = nullptr;
  fonts_ = addFonts(files, scale, kLeastAtDesk * scale, density);
  if (use == For::pixels) return;
  compat::drawWithoutBackend();
  compat::makeReadable(*ImGui::GetIO().Fonts);
}

HiddenFrame::~HiddenFrame() {
  ImGui::DestroyContext(own_);
}

void HiddenFrame::draw(const Request& request, const Draw& draw) const {
  constexpr int kSettled = 3;  // ImGui needs a few frames to settle its layout.
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {request.width, request.height};
  io.DisplayFramebufferScale = {density_, density_};
  io.DeltaTime = 1.0F / 60;
  applyStyle(request.palette, fonts_.textPixels);
  ImGuiStyle& style = ImGui::GetStyle();
  style.AntiAliasedLines = style.AntiAliasedFill = request.smooth;
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = 0;
  for (int frame = 0; frame < kSettled; ++frame) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("##page", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs);
    draw({request.now, request.session, request.ui, request.palette, fonts_, fonts_.textPixels, 0});
    ImGui::End();
    ImGui::Render();
  }
}

ImVec2 HiddenFrame::hidden() const {
  ImVec2 most{0, 0};
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (!window->WasActive && !window->Active) continue;
    most = {std::max(most.x, window->ScrollMax.x), std::max(most.y, window->ScrollMax.y)};
  }
  return most;
}

void paintUntilStill(const std::function<bool()>& moving, const std::function<void()>& paint,
                     std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + patience; moving() && Clock::now() < end;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    paint();
  }
}

UiState withoutPerson(const UiState& ui) {
  UiState still = ui;
  still.motion = false;
  still.readOnly = true;
  static_cast<CameraState&>(still) = {};
  still.hovered = {};
  still.lineHovered = still.lineUnder = still.lineWanted = 0;
  still.save.open = still.help = false;
  return still;
}

}  // namespace tilestep::ui
