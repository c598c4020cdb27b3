// SPDX-License-Identifier: Apache-2.0
#include "ui/page/page_painter.h"

#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "gfx/drawing/frame_drawing.h"
#include "gfx/drawing/scene_drawing.h"
#include "ui/shell/panels.h"

namespace tilestep::ui {
namespace {

/// Pixels. Pictures that scroll in the window are as high as all that is in them, and trimmed.
constexpr float kWidth = 360, kSceneHeight = 400, kStageWidth = 400, kStageHeight = 420,
                kDetailHeight = 420, kLadderHeight = 900;
constexpr float kMargin = 4;  ///< Around what is drawn, pixels.

/// Makes a context the current one for as long as this lives.
class Current {
 public:
  explicit Current(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  ~Current() { ImGui::SetCurrentContext(before_); }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  ImGuiContext* before_;
};

/// What the page has no use for: what a person is doing at this moment.
UiState withoutPerson(const UiState& ui, Theme theme) {
  UiState still = ui;
  still.theme = theme;
  still.motion = false;
  still.readOnly = true;
  static_cast<View&>(still) = {};
  still.hovered = {};
  still.lineHovered = still.lineUnder = still.lineWanted = 0;
  still.save.open = still.help = false;
  return still;
}

/// Without the empty part below and above all shapes.
gfx::Box trimmed(const gfx::Drawing& drawing, const gfx::Box& box) {
  float top = box.y + box.height, bottom = box.y;
  for (const gfx::Shape& shape : drawing.shapes) {
    const gfx::Box bounds = gfx::boundsOf(shape);
    const float from = std::max(bounds.y, shape.clip.y);
    const float to = std::min(bounds.y + bounds.height, shape.clip.y + shape.clip.height);
    const bool across = bounds.x + bounds.width > box.x && bounds.x < box.x + box.width;
    if (to <= from || !across) continue;
    top = std::min(top, from);
    bottom = std::max(bottom, to);
  }
  top = std::max(std::floor(top - kMargin), box.y);
  bottom = std::min(std::ceil(bottom + kMargin), box.y + box.height);
  return bottom > top ? gfx::Box{box.x, top, box.width, bottom - top} : box;
}

}  // namespace

PagePainter::PagePainter(const FontFiles& files) : own_(ImGui::CreateContext()) {
  const Current current(own_);
  ImGui::GetIO().IniFilename = nullptr;
  fonts_ = addFonts(files, 1, kLeastAtDesk);
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
}

PagePainter::~PagePainter() {
  ImGui::DestroyContext(own_);
}

gfx::Drawing PagePainter::drawing(const Request& request, Theme theme, const Draw& draw) {
  constexpr int kSettled = 3;  // ImGui needs a few frames to settle its layout.
  UiState ui = withoutPerson(request.ui, theme);
  const gfx::Palette palette = paletteOf(theme);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {request.width, request.height};
  io.DeltaTime = 1.0F / 60;
  applyStyle(palette, fonts_.textPixels);
  ImGuiStyle& style = ImGui::GetStyle();
  style.AntiAliasedLines = style.AntiAliasedFill = false;
  style.WindowPadding = {0, 0};
  for (int frame = 0; frame < kSettled; ++frame) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("##page", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs);
    draw({request.now, request.session, ui, palette, fonts_, fonts_.textPixels, 0});
    ImGui::End();
    ImGui::Render();
  }
  return gfx::drawingOf(*ImGui::GetDrawData(), {});
}

PagePanel PagePainter::panel(const Request& request, const Draw& draw) {
  PagePanel panel{drawing(request, Theme::light, draw),
                  drawing(request, Theme::dark, draw),
                  {0, 0, request.width, request.height}};
  panel.box = trimmed(panel.light, panel.box);
  return panel;
}

std::vector<PagePanel> PagePainter::scenes(const model::Snapshot& now, model::Session& session,
                                           const UiState& ui) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPatience = std::chrono::seconds(5);
  const Current current(own_);
  // The sentence above the scenes is left out: the page has it as text.
  const float count = now.companion ? 2 : 1, gap = 2 * fonts_.textPixels;
  const Request request{now, session, ui, count * kWidth + gap, kSceneHeight + 4 * gap};
  const Draw draw = [&](const Context& context) { scene_.draw(context, 1, 0); };
  const auto described = [&](Theme theme) {
    gfx::Drawing labels = drawing(request, theme, draw);
    // Details of large matrices are made on another thread.
    for (const auto end = Clock::now() + kPatience; scene_.moving() && Clock::now() < end;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      labels = drawing(request, theme, draw);
    }
    gfx::Drawing whole;
    for (const gfx::SceneCall& scene : scene_.shown()) gfx::describeScene(scene, whole);
    std::ranges::move(labels.shapes, std::back_inserter(whole.shapes));
    return whole;
  };
  const gfx::Drawing light = described(Theme::light), dark = described(Theme::dark);
  std::vector<PagePanel> panels;
  for (const gfx::SceneCall& scene : scene_.shown())
    panels.push_back({light, dark, trimmed(light, scene.view.viewport)});
  return panels;
}

PagePanel PagePainter::stage(const model::Snapshot& now, model::Session& session,
                             const UiState& ui) {
  const Current current(own_);
  const float height = ui.stage == Stage::sweeps ? kLadderHeight : kStageHeight;
  return panel({now, session, ui, kStageWidth, height}, drawStage);
}

PagePanel PagePainter::detail(const model::Snapshot& now, model::Session& session,
                              const UiState& ui) {
  const Current current(own_);
  return panel({now, session, ui, kStageWidth, kDetailHeight}, [](const Context& context) {
    context.ui.threadView ? drawThread(context) : drawWarp(context);
  });
}

}  // namespace tilestep::ui
