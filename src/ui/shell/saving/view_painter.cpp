// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/view_painter.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "gfx/drawing/frame_drawing.h"
#include "gfx/drawing/scene_drawing.h"
#include "ui/kit/widgets.h"
#include "ui/shell/saving/view_words.h"

namespace tilestep::ui {
namespace {

/// Makes text readable when a slide of 1600 pixels is projected.
constexpr float kScale = 1.5F;
struct Extent {
  float width, height;
};
constexpr Extent kSlide{1600, 900};
/// The size with a lesson's text: the proportions of A4 landscape.
constexpr Extent kHandout{1600, 1131};
/// Side panels are designed for narrow columns. They grow downwards.
constexpr Extent kColumn{880, 240}, kWideColumn{1280, 240};
constexpr Extent kLargest{kMostOfPicture, kMostOfPicture};
constexpr float kMarginEm = 1.1F;  // Em.

Extent firstSizeOf(std::string_view view, const model::Snapshot& now) {
  for (const char* slide : {"scene", "roofline", "live", "sweep", "timeline"})
    if (view == slide) return now.shown.lesson ? kHandout : kSlide;
  for (const char* wide : {"phases", "runs", "threads", "thread", "warp", "source", "ptx"})
    if (view == wide) return kWideColumn;
  return kColumn;
}

void drawTitle(const Context& context, const std::string& text) {
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  wrapped(text);
  ImGui::PopFont();
}

void drawHead(const Context& context, std::string_view view, const std::string& note) {
  const model::Snapshot& now = context.snapshot;
  if (now.shown.lesson)  // The step's text explains the picture.
    drawPart(Part::lessonText, context);
  else
    drawTitle(context, titleOfView(view, now));
  if (!note.empty()) hint(context, note);
  const std::string caption = captionOfView(view, context.ui, now);
  if (!caption.empty() && !ViewContent::isCovered(context, view)) hint(context, caption);
  ImGui::Dummy({0, 0.1F * context.em});
}

/// The source of the numbers on the left, and the name Tilestep with the date on the right or, if
/// there is no space, below.
class Foot {
 public:
  Foot(const Context& context, const std::string& day, float width)
      : context_(context),
        origin_(provenanceOf(context.snapshot)),
        made_("Tilestep" + (day.empty() ? "" : " · " + day)) {
    const Small small(context);
    madeWidth_ = ImGui::CalcTextSize(made_.c_str()).x;
    beside_ = ImGui::CalcTextSize(origin_.c_str()).x + context.em + madeWidth_ <= width;
    height_ = (beside_ ? 1.0F : 2.0F) * ImGui::GetTextLineHeightWithSpacing();
  }
  [[nodiscard]] float height() const { return height_; }
  void draw() const {
    const Small small(context_);
    const ImVec2 at = ImGui::GetCursorPos();
    const float width = ImGui::GetContentRegionAvail().x;
    muted(context_, cutTo(origin_, width));
    if (beside_) ImGui::SetCursorPos({at.x + width - madeWidth_, at.y});
    muted(context_, made_);
  }

 private:
  /// Sets the small font during its lifetime.
  struct Small {
    explicit Small(const Context& context) {
      compat::pushFont(context.fonts.small, context.fonts.smallPixels);
    }
    ~Small() { ImGui::PopFont(); }
    Small(const Small&) = delete;
    Small& operator=(const Small&) = delete;
  };

  const Context& context_;
  std::string origin_, made_;
  float madeWidth_ = 0, height_ = 0;
  bool beside_ = true;
};

}  // namespace

gfx::Palette paletteOf(const ViewRequest& request) {
  return request.print ? gfx::printPalette() : paletteOf(request.ui.theme);
}

ViewPainter::ViewPainter(const FontFiles& files, float density,
                         std::unique_ptr<gfx::Renderer> renderer,
                         std::chrono::milliseconds patience)
    : frame_(files, kScale, renderer ? HiddenFrame::For::pixels : HiddenFrame::For::shapes,
             density),
      density_(density),
      patience_(patience),
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
  const float margin = kMarginEm * context.em, width = size.x - 2 * margin;
  const float gap = 0.5F * context.em;  // Above the footer.
  const Foot foot(context, request.day, width);
  ImGui::SetCursorPos({margin, margin});
  compat::beginChild("head", {width, size.y - 2 * margin}, false, ImGuiWindowFlags_NoScrollbar);
  drawHead(context, request.view, request.note);
  const float height = ImGui::GetContentRegionAvail().y - foot.height() - gap;
  compat::beginChild("view", {0, std::max(height, context.em)}, false);
  content_.draw(context, request.view, density_, static_cast<int>(size.y * density_));
  ImGui::EndChild();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + gap - ImGui::GetStyle().ItemSpacing.y);
  foot.draw();
  ImGui::EndChild();
}

Result<ViewPainter::Drawn> ViewPainter::draw(const ViewRequest& request,
                                             const gfx::Palette& palette, bool smooth) {
  constexpr int kMostIterations = 6;  // A wider picture may need less height, and vice versa.
  UiState ui = withoutPerson(request.ui);
  ViewContent::choose(request.view, ui);
  Extent size = firstSizeOf(request.view, request.now);
  const auto paint = [&] {
    frame_.draw({request.now, request.session, ui, palette, size.width, size.height, smooth},
                [&](const Context& context) { drawPicture(request, context); });
  };
  paint();
  for (int i = 0; i < kMostIterations; ++i) {
    const ImVec2 hidden = frame_.hidden();
    const Extent wanted{std::min(size.width + std::ceil(hidden.x), kLargest.width),
                        std::min(size.height + std::ceil(hidden.y), kLargest.height)};
    if (wanted.width == size.width && wanted.height == size.height) break;
    size = wanted;
    paint();
  }
  paintUntilStill([&] { return content_.moving(); }, paint, patience_);
  const ImVec2 hidden = frame_.hidden();
  Result<std::string> lacks = lacksOf({.below = hidden.y > 0,
                                       .right = hidden.x > 0,
                                       .details = content_.moving(),
                                       .values = content_.lacksValues()});
  if (!lacks) return lacks.error();
  return Drawn{{size.width, size.height}, std::move(*lacks)};
}

Result<ViewShapes> ViewPainter::shapes(const ViewRequest& request) {
  const HiddenFrame::Current current(frame_);
  const gfx::Palette palette = paletteOf(request);
  Result<Drawn> drawn = draw(request, palette, false);
  if (!drawn) return drawn.error();
  gfx::Drawing whole;
  for (const gfx::SceneCall& scene : content_.scenes()) gfx::describeScene(scene, whole);
  std::ranges::move(gfx::drawingOf(*ImGui::GetDrawData(), {}).shapes,
                    std::back_inserter(whole.shapes));
  return ViewShapes{std::move(whole),
                    {0, 0, drawn->size.x, drawn->size.y},
                    palette.background,
                    std::move(drawn->lacks)};
}

Result<ViewPixels> ViewPainter::pixels(const ViewRequest& request) {
  const HiddenFrame::Current current(frame_);
  const gfx::Palette palette = paletteOf(request);
  Result<Drawn> drawn = draw(request, palette, true);
  if (!drawn) return drawn.error();
  Result<gfx::Pixels> pixels = offscreen_->draw(*ImGui::GetDrawData(), palette.background);
  if (!pixels) return pixels.error();
  return ViewPixels{std::move(*pixels), std::move(drawn->lacks)};
}

}  // namespace tilestep::ui
