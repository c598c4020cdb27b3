// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/interface.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "features/panel_registry.h"
#include "gfx/clear.h"
#include "ui/kit/panels.h"
#include "ui/shell/cover.h"
#include "ui/shell/help/glossary.h"
#include "ui/shell/open_dialog.h"
#include "ui/shell/palette.h"
#include "ui/shell/saving/save_dialog.h"
#include "ui/shell/toast.h"

namespace tilestep::ui {
namespace {

constexpr ImGuiWindowFlags kPanel =
    ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground;

/// Runs `draw` in an ImGui window that covers `box`. Folded panels have no area and are skipped.
template <class Draw>
void panel(const char* name, const gfx::Box& box, ImGuiWindowFlags flags, Draw draw) {
  if (box.width <= 0 || box.height <= 0) return;
  ImGui::SetNextWindowPos({box.x, box.y});
  ImGui::SetNextWindowSize({box.width, box.height});
  if (ImGui::Begin(name, nullptr, kPanel | flags)) draw();
  ImGui::End();
}

/// A panel whose content has the same width with and without a scroll bar, so that text is not
/// rewrapped and buttons do not move when the bar appears.
template <class Draw>
void steadyPanel(const char* name, const gfx::Box& box, Draw draw) {
  if (box.width <= 0 || box.height <= 0) return;  // ImGui would use another window's size.
  const ImGuiStyle& style = ImGui::GetStyle();
  // Dear ImGui leaves half of the padding empty beside the bar.
  const float right = style.ScrollbarSize + std::ceil(style.WindowPadding.x / 2);
  ImGui::SetNextWindowContentSize({std::max(box.width - style.WindowPadding.x - right, 1.0F), 0});
  panel(name, box, 0, [&] {
    ImGui::SetScrollX(0);
    draw();
  });
}

/// A panel's surface with rounded corners. Its large uniform part is cleared instead of blended.
void surface(const Context& context, const gfx::Box& box) {
  if (box.width <= 0 || box.height <= 0) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const ImGuiStyle& style = ImGui::GetStyle();
  const float round = std::ceil(style.WindowRounding);
  const ImVec2 min{box.x, box.y}, max{box.x + box.width, box.y + box.height};
  const ImU32 fill = colour(context.palette.surface);
  list.AddRectFilled(min, {max.x, min.y + round}, fill, round, ImDrawFlags_RoundCornersTop);
  list.AddRectFilled({min.x, max.y - round}, max, fill, round, ImDrawFlags_RoundCornersBottom);
  gfx::addClear(list, {box.x, box.y + round, box.width, box.height - 2 * round},
                context.palette.surface);
  if (style.WindowBorderSize > 0)
    compat::strokeRect(list, min, max, ImGui::GetColorU32(ImGuiCol_Border), round,
                       style.WindowBorderSize);
}

/// A handle that changes `value` (pixels at scale 1; 0 means automatic) when dragged. From
/// automatic, the drag starts at `from` (pixels). A double click restores automatic.
void splitter(const Context& context, const char* name, const gfx::Box& box, bool vertical,
              float from, float sign, float& value) {
  panel(name, box, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav, [&] {
    ImGui::SetCursorScreenPos({box.x, box.y});
    ImGui::InvisibleButton("grip", {box.width, box.height});
    const bool active = ImGui::IsItemActive();
    if (active || ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
      ImGui::GetWindowDrawList()->AddRectFilled({box.x, box.y},
                                                {box.x + box.width, box.y + box.height},
                                                colour(context.palette.strongLine, 0.5F), 2);
    }
    const float scale = context.em / 16;
    const ImVec2 delta = ImGui::GetIO().MouseDelta;
    const float moved = sign * (vertical ? delta.x : delta.y);
    if (active && moved != 0) value = (value > 0 ? value : from / scale) + moved / scale;
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) value = 0;
  });
}

/// Records the boxes of views that fill a panel. Views within the measures are recorded when drawn.
void noteBoxes(UiState& ui, const PanelLayout& layout, bool table) {
  const bool scene = ui.stage == Stage::scene;
  const auto note = [&](std::string_view view, const gfx::Box& box) {
    ui.viewBoxes[std::string(view)] = box;
  };
  const bool ptx = ui.ptxView;
  note("scene", table || !scene ? gfx::Box{} : layout.stage);
  note("tiles", table || !scene ? gfx::Box{} : layout.stage);
  note("phases", table && scene ? layout.stage : gfx::Box{});
  note("threads", !ui.warpView && !ui.threadView && !ptx ? layout.step : gfx::Box{});
  note("warp", ui.warpView && !ui.threadView && !ptx ? layout.step : gfx::Box{});
  note("thread", ui.threadView && !ptx ? layout.step : gfx::Box{});
  note("ptx", ptx ? layout.step : gfx::Box{});
  if (!scene) note(model::tableOf(ui.stage), layout.stage);
  note("source", layout.source);
  note("steps", layout.transport);
}

/// Whether the view shows the current step, so that the transport bar belongs below it.
bool hasSteps(Stage stage) {
  switch (stage) {
    case Stage::scene:
    case Stage::lanes:
    case Stage::sums:
    case Stage::sectors:
    case Stage::cube:
      return true;
    case Stage::roofline:
    case Stage::live:
    case Stage::sweeps:
    case Stage::timeline:
    case Stage::runs:
    case Stage::exercises:
    case Stage::timing:
    case Stage::program:
      return false;
  }
  return true;
}

void prepare(const Context& context) {
  UiState& ui = context.ui;
  const model::Shown& shown = context.snapshot.shown;
  ui.withoutTransport = shown.firstMinute || !hasSteps(ui.stage);
  ui.exerciseOpen = shown.exercise;
  const bool picture = ui.stage == Stage::scene && !shown.phaseTable;
  ui.stageCovered = !picture && isCovered(context, model::Covered::stage);
  ui.stepCovered = isCovered(context, model::Covered::step);
  ui.measuresCovered = isCovered(context, model::Covered::measures);
  ui.predicting = shown.predicting;
  // Without a card over the scene, the height is 0.
  if (!shown.lesson && !shown.predicting && !shown.firstMinute)
    ui.lessonHeight = 0;
  else if (ui.lessonHeight == 0)
    ui.lessonHeight = 8 * context.em;
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels()) feature->prepare(context);
}

LayoutNeeds needsOf(const Context& context) {
  LayoutNeeds needs;
  const auto& main = context.snapshot.main;
  if (main && main->side->removedLine > 0) ++needs.runningLines;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const PanelLayout without = layOut(context.ui, size.x, size.y, context.em, needs);
  const bool isBeside = isLessonBeside(context.ui, size.x, context.em);
  if (without.status.height <= 0)
    needs.notice = heightOfToast(context, (isBeside ? without.lesson : without.stage).width);
  return needs;
}

/// Without a status line, new notices appear as toasts. Clicked code does not capture letters then,
/// because no text would explain why they do nothing.
void standInForStatus(const Context& context) {
  startToast(context);
  context.ui.codeClicked = false;
}

/// Call before drawing the panels, which set these flags when they take the keyboard.
void noteKeyboard(UiState& ui, const PanelLayout& layout) {
  ui.typingSoon = false;
  const bool hasCode = layout.source.height > 0 || layout.step.height > 0;
  if (!hasCode || ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ui.codeClicked = false;
}

/// The area for a notice: its own box or, without one, an area that a presentation can spare.
gfx::Box noticePlace(const UiState& ui, const PanelLayout& layout) {
  if (layout.notice.height > 0) return layout.notice;
  if (ui.presenting && layout.measures.height > 0) return layout.measures;
  if (ui.presenting && layout.lesson.height > 0) return layout.lesson;
  return layout.stage;
}

}  // namespace

void Interface::drawSplitters(const Context& context, const PanelLayout& layout) {
  UiState& ui = context.ui;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  splitter(context, "##grip controls", layout.controlsGrip, true, layout.controls.width, 1,
           ui.controlsWidth);
  splitter(context, "##grip measures", layout.measuresGrip, true, layout.measures.width, -1,
           ui.measuresWidth);
  splitter(context, "##grip source", layout.sourceGrip, false, layout.source.height, -1,
           ui.sourceHeight);
  ImGui::PopStyleVar(3);
}

void Interface::draw(const Context& context, float framebufferScale, int framebufferHeight) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const model::Shown& shown = context.snapshot.shown;
  prepare(context);
  context.ui.viewBoxes = {};
  context.ui.codeTyping = false;
  context.ui.shown = panelsWithRoom(context.ui, size.x, size.y, context.em);
  const LayoutNeeds needs = needsOf(context);
  context.ui.noticesSeen = false;  // Reset, because it still describes the last frame.
  const PanelLayout layout = layOut(context.ui, size.x, size.y, context.em, needs);
  noteKeyboard(context.ui, layout);
  const ImGuiWindowFlags still = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  for (const gfx::Box* box : {&layout.top, &layout.controls, &layout.lesson, &layout.source,
                              &layout.step, &layout.code, &layout.measures, &layout.transport})
    surface(context, *box);
  if (context.ui.stage != Stage::scene) surface(context, layout.stage);
  walkStart_ = layout.controls.width > 0 ? "##controls" : "##top";
  const bool low = isLow(size.y, context.em);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      {0.75F * context.em, (low ? 0.3F : 0.5F) * context.em});
  panel("##top", layout.top, still, [&] { drawTopBar(context); });
  ImGui::PopStyleVar();
  steadyPanel("##controls", layout.controls, [&] { drawControls(context); });
  panel("##lesson", layout.lesson, 0, [&] {
    drawPart(shown.firstMinute  ? Part::firstMinute
             : shown.predicting ? Part::prediction
                                : Part::lesson,
             context);
  });
  panel("##tabs", layout.tabs, still, [&] { drawStageTabs(context); });
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    if (const std::optional<Stage> stage = feature->stage())
      feature->watch(context, context.ui.stage == *stage);
  const bool isCovered = context.ui.stageCovered;
  sceneShown_ = context.ui.stage == Stage::scene && layout.stage.height > 0 && !isCovered;
  if (isCovered)
    panel("##covered", layout.stage, still, [&] { coverWindow(context, kCoveredText); });
  else if (sceneShown_)
    panel("##scene", layout.stage, still,
          [&] { scene_->draw(context, framebufferScale, framebufferHeight); });
  else
    panel("##stage", layout.stage, 0,
          [&] { coverable(context, model::Covered::stage, [&] { drawStage(context); }); });
  panel("##source", layout.source, still, [&] { source_(context); });
  panel("##step", layout.step, still,
        [&] { coverable(context, model::Covered::step, [&] { drawStep(context); }); });
  panel("##code", layout.code, still, [&] { running_(context); });
  panel("##measures", layout.measures, 0,
        [&] { coverable(context, model::Covered::measures, [&] { drawMeasures(context); }); });
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      {0.75F * context.em, (low ? 0.3F : 0.65F) * context.em});
  panel("##transport", layout.transport, still, [&] { drawTransport(context); });
  ImGui::PopStyleVar();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.75F * context.em, 0.1F * context.em});
  panel("##status", layout.status, still,
        [&] { coverable(context, model::Covered::controls, [&] { drawStatus(context); }); });
  ImGui::PopStyleVar();
  if (layout.status.height <= 0) standInForStatus(context);
  drawSplitters(context, layout);
  noteBoxes(context.ui, layout, shown.phaseTable);
  if (needs.notice > 0) drawToast(context, noticePlace(context.ui, layout));
  drawSaveDialog(context);
  drawOpenDialog(context);
  drawPalette(context);
  drawHelp(context);
  if (context.ui.glossary.open)
    drawGlossary(context, isCovered     ? std::vector<LegendMark>()
                          : sceneShown_ ? scene_->marks(context)
                                        : stageMarks(context));
  drawPart(Part::learn, context);
  drawPageProgress(context);
  // A key pressed before the answer field regains the keyboard would be lost.
  context.ui.typing = ImGui::GetIO().WantTextInput && context.ui.answerWished == 0;
  context.ui.walking = ImGui::GetIO().NavVisible;
  context.ui.popupOpen =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

}  // namespace tilestep::ui
