// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/view_painter.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <thread>
#include <utility>

#include "features/lessons/view.h"
#include "gfx/drawing/frame_drawing.h"
#include "gfx/drawing/scene_drawing.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"
#include "ui/shell/saving/view_words.h"

namespace tilestep::ui {
namespace {

/// Type that can be read when a slide of 1600 pixels hangs on a wall.
constexpr float kScale = 1.5F;
struct Extent {
  float width, height;
};
constexpr Extent kSlide{1600, 900};
/// Panels that stand at the window's edge are made for narrow columns. They grow downwards.
constexpr Extent kColumn{880, 240}, kWideColumn{1280, 240};
constexpr Extent kLargest{4800, 4800};
constexpr float kMargin = 1.4F;  // Em.

Extent firstSizeOf(std::string_view view) {
  for (const char* slide : {"scene", "roofline", "live", "sweep", "timeline"})
    if (view == slide) return kSlide;
  for (const char* wide : {"phases", "runs", "threads", "thread", "warp", "source", "ptx"})
    if (view == wide) return kWideColumn;
  return kColumn;
}

const model::LessonView* lessonOf(const model::Snapshot& now) {
  const auto& lesson = now.view<model::LessonsView>().lesson;
  return lesson ? &*lesson : nullptr;
}

void drawTitle(const Context& context, const std::string& text) {
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  wrapped(text);
  ImGui::PopFont();
}

/// The lesson's step says what the picture is about; its answer is left to whoever shows it.
void drawLessonText(const Context& context, const model::LessonView& lesson) {
  drawTitle(context, lesson.step().title);
  for (const std::string& paragraph : lesson.shown->text) richText(context, paragraph);
  if (lesson.step().ask) richText(context, "**" + lesson.shown->question + "**");
}

void drawHead(const Context& context, std::string_view view) {
  const model::Snapshot& now = context.snapshot;
  if (const model::LessonView* lesson = lessonOf(now))
    drawLessonText(context, *lesson);
  else
    drawTitle(context, titleOfView(view, now));
  const std::string caption = captionOfView(view, context.ui, now);
  if (!caption.empty()) hint(context, caption);
  ImGui::Dummy({0, 0.3F * context.em});
}

void drawFoot(const Context& context, const std::string& day) {
  const std::string made = "Tilestep" + (day.empty() ? "" : " · " + day);
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const float right = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(made.c_str()).x;
  const ImVec2 at = ImGui::GetCursorPos();
  muted(context, cutTo(provenanceOf(context.snapshot), right - context.em));
  ImGui::SetCursorPos({at.x + right, at.y});
  muted(context, made);
  ImGui::PopFont();
}

}  // namespace

gfx::Palette paletteOf(const ViewRequest& request) {
  return request.print ? gfx::printPalette() : paletteOf(request.ui.theme);
}

ViewPainter::ViewPainter(const FontFiles& files, float density,
                         std::unique_ptr<gfx::Renderer> renderer)
    : frame_(files, kScale, density),
      density_(density),
      renderer_(std::move(renderer)),
      content_(renderer_.get()) {
  const HiddenFrame::Current current(frame_);
  if (renderer_) offscreen_ = std::make_unique<gfx::Offscreen>();
}

ViewPainter::~ViewPainter() {
  const HiddenFrame::Current current(frame_);
  offscreen_.reset();
}

bool ViewPainter::canDraw(const ViewRequest& request) const {
  UiState ui = withoutPerson(request.ui);
  return ViewContent::canDraw(request.view, {request.now, request.session, ui, paletteOf(request),
                                             frame_.fonts(), frame_.fonts().textPixels, 0});
}

void ViewPainter::drawPicture(const ViewRequest& request, const Context& context) {
  const ImVec2 size = ImGui::GetWindowSize();
  const float margin = kMargin * context.em, foot = 1.2F * context.fonts.smallPixels;
  const float width = size.x - 2 * margin;
  ImGui::SetCursorPos({margin, margin});
  compat::beginChild("head", {width, size.y - 2 * margin}, false, ImGuiWindowFlags_NoScrollbar);
  drawHead(context, request.view);
  const float height = ImGui::GetContentRegionAvail().y - foot - 0.6F * context.em;
  compat::beginChild("view", {0, std::max(height, context.em)}, false);
  content_.draw(context, request.view, density_, static_cast<int>(size.y * density_));
  ImGui::EndChild();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.2F * context.em);
  drawFoot(context, request.day);
  ImGui::EndChild();
}

ImVec2 ViewPainter::draw(const ViewRequest& request, const gfx::Palette& palette, bool smooth) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPatience = std::chrono::seconds(5);
  constexpr int kMostTurns = 6;  // Wider pictures may need less height and the reverse.
  UiState ui = withoutPerson(request.ui);
  ViewContent::choose(request.view, ui);
  Extent size = firstSizeOf(request.view);
  const auto paint = [&] {
    frame_.draw({request.now, request.session, ui, palette, size.width, size.height, smooth},
                [&](const Context& context) { drawPicture(request, context); });
  };
  paint();
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const ImVec2 hidden = frame_.hidden();
    const Extent wanted{std::min(size.width + std::ceil(hidden.x), kLargest.width),
                        std::min(size.height + std::ceil(hidden.y), kLargest.height)};
    if (wanted.width == size.width && wanted.height == size.height) break;
    size = wanted;
    paint();
  }
  // Details of large matrices are made on another thread.
  for (const auto end = Clock::now() + kPatience; content_.moving() && Clock::now() < end;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    paint();
  }
  return {size.width, size.height};
}

ViewShapes ViewPainter::shapes(const ViewRequest& request) {
  const HiddenFrame::Current current(frame_);
  const gfx::Palette palette = paletteOf(request);
  const ImVec2 size = draw(request, palette, false);
  gfx::Drawing whole;
  for (const gfx::SceneCall& scene : content_.scenes()) gfx::describeScene(scene, whole);
  std::ranges::move(gfx::drawingOf(*ImGui::GetDrawData(), {}).shapes,
                    std::back_inserter(whole.shapes));
  return {std::move(whole), {0, 0, size.x, size.y}, palette.background};
}

gfx::Pixels ViewPainter::pixels(const ViewRequest& request) {
  const HiddenFrame::Current current(frame_);
  const gfx::Palette palette = paletteOf(request);
  draw(request, palette, true);
  return offscreen_->draw(*ImGui::GetDrawData(), palette.background);
}

}  // namespace tilestep::ui
