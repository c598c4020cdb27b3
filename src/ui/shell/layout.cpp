// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/shell/layout_parts.h"

namespace tilestep::ui {
namespace {

constexpr float kLeastSceneWidth = 30, kLeastSceneHeight = 16, kLeastUnderLesson = 11;  // em
constexpr float kLeastOverPanel = 8;             // em, for a plot whose step also shows a panel
constexpr float kLeastUnderTabsWithLesson = 36;  // em
constexpr float kLeastPresentedWidth = 26;       // em
constexpr float kLessonShare = 0.45F;            // The lesson's usual share of the stage.
constexpr float kMostLessonShare = 0.8F;         // The most, for a question or its answer.
/// If the scene would be smaller than this, a lesson or a requested panel replaces it.
constexpr float kNarrowestScene = 16, kLowestScene = 5;  // em

float measuresWidth(const UiState& ui, float width, float em) {
  const float automatic = ui.presenting ? std::clamp(0.31F * width, 15 * em, 22 * em)
                                        : std::clamp(0.26F * width, 22.5F * em, 30 * em);
  const float least = (ui.presenting ? 15.0F : 18.0F) * em;
  return std::round(std::clamp(chosenOr(ui.measuresWidth, automatic, em / 16), least,
                               std::max(least, 0.45F * width)));
}

float sourceHeight(const UiState& ui, float middle, float em) {
  // A lesson's space comes from the source panel, not from the scene.
  const bool little = middle < 48 * em || ui.lessonHeight > 0;
  const float share = (showsListing(ui) ? 0.4F : little ? 0.2F : 0.29F) * middle;
  constexpr float kEightLines = 12.5F;  // em
  const float automatic =
      ui.inLessonDensity() ? std::max(share, std::min(kEightLines * em, 0.28F * middle)) : share;
  return std::round(std::clamp(chosenOr(ui.sourceHeight, automatic, em / 16), 7.5F * em,
                               std::max(7.5F * em, 0.7F * middle)));
}

/// The height of the lesson's card above a stage of this height.
float lessonHeightOf(const UiState& ui, float stage) {
  const float share = std::clamp(ui.card.least, kLessonShare * stage, kMostLessonShare * stage);
  return std::round(std::min(ui.lessonHeight, share));
}

/// Before a lab's prediction is made, only its question is shown.
PanelLayout layOutPrediction(const UiState& ui, float width, float height, float em) {
  const float gap = gapOf(height, em), top = topHeightOf(height, em);
  PanelLayout out;
  out.top = {gap, gap, width - 2 * gap, top - gap};
  const float room = height - top - 2 * gap;
  const float card = std::min(width - 2 * gap, 56 * em);
  const float tall = std::min(std::max(ui.lessonHeight, 8 * em), room);
  out.lesson = {std::round((width - card) / 2), top + gap + std::round(0.3F * (room - tall)), card,
                tall};
  return out;
}

}  // namespace

bool isLessonBeside(const UiState& ui, float width, float em) {
  const float least = (ui.presenting ? 44.0F : 54.0F) * em;
  const bool isOpen = ui.lessonHeight > 0 && !ui.predicting;
  return isOpen && width >= least;
}

bool isLow(float height, float em) {
  return height < 24 * em;
}

bool isVeryLow(float height, float em) {
  return height < 17 * em;
}

std::array<bool, kPanels> panelsWithRoom(const UiState& ui, float width, float height, float em) {
  std::array<bool, kPanels> shown{};
  // A program's view contains its text, findings and steps.
  if (ui.stage == Stage::program || ui.predicting) return shown;
  if (isLessonBeside(ui, width, em)) {
    const Aside aside = asideOf(ui);
    const PanelWish& controls = wish(ui, Panel::controls);
    shown[static_cast<size_t>(Panel::controls)] =
        controls.wanted && controls.asked > 0 && !ui.inLessonDensity();
    shown[static_cast<size_t>(Panel::measures)] = aside == Aside::measures;
    shown[static_cast<size_t>(Panel::source)] =
        aside == Aside::step || aside == Aside::source || ui.stageCovered;
    return shown;
  }
  std::array<Panel, 2> sides{Panel::measures, Panel::controls};
  if (wish(ui, sides[1]).asked > wish(ui, sides[0]).asked) std::swap(sides[0], sides[1]);
  float room = width - (ui.presenting ? kLeastPresentedWidth : kLeastSceneWidth) * em;
  bool first = true;
  for (const Panel side : sides) {
    if (!wish(ui, side).wanted) continue;
    if (side == Panel::controls && ui.inLessonDensity()) continue;
    room -= side == Panel::controls ? controlsWidth(ui, width, em) : measuresWidth(ui, width, em);
    const bool asked = first && wish(ui, side).asked > 0;
    shown[static_cast<size_t>(side)] = room >= 0 || asked;
    first = false;
  }
  const float middle = middleHeightOf(ui, width, height, em);
  const PanelWish& source = wish(ui, Panel::source);
  // The source and step panels belong to the scene, and the source also to an exercise. Beside a
  // plot they are shown only on request.
  const bool plots = ui.stage != Stage::scene;
  // Otherwise a presentation has no source panel.
  const bool wanted = source.wanted || (ui.presenting && showsListing(ui));
  const bool onRequest = plots && !showsListing(ui);
  const bool requested = source.asked > 0 || ui.panelServes;
  const float lesson = lessonHeightOf(ui, middle);
  const bool low = lesson > 0 || showsListing(ui);
  const float least = (onRequest && ui.panelServes ? kLeastOverPanel
                       : low                       ? kLeastUnderLesson
                                                   : kLeastSceneHeight) *
                      em;
  const bool fits = middle - lesson - sourceHeight(ui, middle, em) >= least;
  shown[static_cast<size_t>(Panel::source)] =
      ui.stageCovered || (wanted && (onRequest ? fits && requested : fits || source.asked > 0));
  const bool asked = wish(ui, Panel::measures).asked > 0;
  if (ui.presenting && (plots || (!ui.plotServes && !asked)))
    shown[static_cast<size_t>(Panel::measures)] = false;
  return shown;
}

void togglePanel(UiState& ui, Panel panel) {
  PanelWish& wish = ui.panels[static_cast<size_t>(panel)];
  wish.wanted = !ui.isShown(panel);
  if (panel == Panel::controls && ui.inLessonDensity()) ui.density = model::Density::full;
  if (!wish.wanted) return;
  for (const PanelWish& other : ui.panels) wish.asked = std::max(wish.asked, other.asked + 1);
}

void chooseLine(UiState& ui, uint32_t line) {
  ui.lineChosen = ui.lineWanted = line;
  ui.companionSource = false;
  if (!ui.isShown(Panel::source)) togglePanel(ui, Panel::source);
}

void toggleDensity(UiState& ui) {
  using model::Density;
  ui.density = ui.density == Density::full ? Density::lesson : Density::full;
}

PanelLayout layOut(const UiState& ui, float width, float height, float em,
                   const LayoutNeeds& needs) {
  if (ui.predicting) return layOutPrediction(ui, width, height, em);
  if (isLessonBeside(ui, width, em)) return layOutBeside(ui, width, height, em, needs);
  const float gap = gapOf(height, em);
  const float topHeight = topHeightOf(height, em);
  const float transportHeight = transportHeightOf(ui, width, height, em);
  const float middleTop = topHeight + gap, middleHeight = middleHeightOf(ui, width, height, em);
  const std::array<bool, kPanels> shown = panelsWithRoom(ui, width, height, em);
  const auto isShown = [&](Panel panel) { return shown[static_cast<size_t>(panel)]; };
  const float left = isShown(Panel::controls) ? controlsWidth(ui, width, em) : 0;
  const float right = isShown(Panel::measures) ? measuresWidth(ui, width, em) : 0;
  PanelLayout out;
  out.top = {gap, gap, width - 2 * gap, topHeight - gap};
  if (!ui.withoutTransport)
    out.transport = {gap, middleTop + middleHeight + gap, width - 2 * gap, transportHeight - gap};
  if (const float status = statusHeightOf(ui, width, height, em); status > 0)
    out.status = {gap, height - status - gap / 2, width - 2 * gap, status};
  const bool alone = left + right > 0 && width - left - right - 4 * gap < kNarrowestScene * em;
  if (alone) {  // The panel that was requested last gets all the space.
    const bool controls = left > 0 && (right == 0 || wish(ui, Panel::controls).asked >
                                                         wish(ui, Panel::measures).asked);
    (controls ? out.controls : out.measures) = {gap, middleTop, width - 2 * gap, middleHeight};
    return out;
  }
  const float sceneLeft = gap + (left > 0 ? left + gap : 0);
  const float sceneWidth =
      std::max(width - sceneLeft - gap - (right > 0 ? right + gap : 0), 4 * em);
  if (left > 0) {
    out.controls = {gap, middleTop, left, middleHeight};
    out.controlsGrip = {gap + left, middleTop, gap, middleHeight};
  }
  if (right > 0) {
    out.measures = {sceneLeft + sceneWidth + gap, middleTop, right, middleHeight};
    out.measuresGrip = {sceneLeft + sceneWidth, middleTop, gap, middleHeight};
  }
  const bool hasSource = isShown(Panel::source) && !ui.stageCovered;
  float below = hasSource ? sourceHeight(ui, middleHeight, em) : 0;
  if (below > 0 && middleHeight - below - gap < kLowestScene * em) below = middleHeight;
  out.stage = {sceneLeft, middleTop, sceneWidth, middleHeight - (below > 0 ? below + gap : 0)};
  if (out.stage.height <= 0) out.stage = {};
  const float underTabs = (ui.lessonHeight > 0 ? kLeastUnderTabsWithLesson : kLeastUnderTabs) * em;
  // In the lesson's density the scene itself needs no tabs, but other stages and an open program
  // do.
  const bool needsTabs = !ui.inLessonDensity() || ui.stage != Stage::scene || ui.isProgramOpen;
  const bool tabbed = !ui.presenting && needsTabs;
  if (tabbed && out.stage.height > underTabs) {
    const float tabs = std::round(2 * em);
    out.tabs = {out.stage.x, out.stage.y, out.stage.width, tabs};
    out.stage.y += tabs + gap;
    out.stage.height -= tabs + gap;
  }
  if (ui.lessonHeight > 0 && out.stage.height > 0) {
    const float lesson = lessonHeightOf(ui, out.stage.height);
    out.lesson = {out.stage.x, out.stage.y, out.stage.width, lesson};
    out.stage.y += lesson + gap;
    out.stage.height -= lesson + gap;
    if (out.stage.height < kLowestScene * em) {  // Too low to show a scene.
      out.lesson.height += out.stage.height + gap;
      out.stage = {};
    }
  }
  // The running lines get the same height with and without a notice.
  const float code = ui.presenting ? codeHeightOf(ui, needs.runningLines, out.stage.height, em) : 0;
  const float leastStage = kLeastBesideNotice * em + (code > 0 ? code + gap : 0);
  const bool noticed = needs.notice > 0 && out.stage.height - needs.notice - gap >= leastStage;
  const float notice = noticed ? needs.notice + gap : 0;
  out.stage.height -= notice;
  if (ui.stageCovered && out.stage.height > 0) {  // The source gets all but one line of the stage.
    below = out.stage.height - std::round(kCoveredStrip * em) - gap;
    out.stage.height -= below + gap;
  }
  if (code > 0 && below <= 0) {
    out.stage.height -= code + gap;
    out.code = {out.stage.x, out.stage.y + out.stage.height + gap + notice, out.stage.width, code};
  }
  if (noticed)
    out.notice = {out.stage.x, out.stage.y + out.stage.height + gap, out.stage.width, needs.notice};
  if (below > 0) {
    const float top = middleTop + middleHeight - below;
    placeSource(ui, {sceneLeft, top, sceneWidth, below}, gap, em, out);
  }
  return out;
}

}  // namespace tilestep::ui
