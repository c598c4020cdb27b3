// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ui/shell/layout_parts.h"

namespace tilestep::ui {
namespace {

// The share of a presented stage for the code that a step needs.
constexpr float kCodeShare = 0.42F;
/// The stage's minimum share of the window's area at a desk. To reach it, fewer running lines are
/// shown beside a lesson.
constexpr float kLeastStageShare = 0.455F;

float columnWidth(const UiState& ui, float width, float em) {
  const float share = ui.presenting ? 0.34F : 0.28F, least = ui.presenting ? 17 : 20;
  return std::round(std::clamp(share * width, least * em, 32 * em));
}

/// The height of the panel below a lesson's text in a column of height `room`, with text of height
/// `ui.lessonHeight`. The panel shrinks and scrolls in favour of the text; if that is not enough,
/// the text scrolls.
float asideHeight(const UiState& ui, Aside aside, float room, float em) {
  const float left = room - ui.lessonHeight;
  switch (aside) {
    case Aside::none:
      return 0;
    case Aside::measures: {
      constexpr float kLeastPlot = 12;  // em
      const float controls = std::min(ui.lessonControlsHeight, 0.5F * room);
      // In a presentation the text must be visible; keys can change the tunable, too.
      const bool isTextFirst = ui.presenting && !ui.occupancyServes;
      if (isTextFirst && left < controls) return 0;
      const bool lacksRoom = isTextFirst && left < controls + kLeastPlot * em;
      if (!ui.plotServes || lacksRoom) return std::round(controls);
      const float least = std::min(controls + kLeastPlot * em, 0.6F * room);
      const float height = std::max(left, least);
      // The essential part of the text comes first.
      return std::round(std::max(std::min(height, room - ui.card.least), controls));
    }
    case Aside::step:
      return std::round(std::clamp(left, 10 * em, std::max(10 * em, 0.7F * room)));
    case Aside::source:
      return std::round(std::clamp(left, 7.5F * em, std::max(7.5F * em, 0.6F * room)));
  }
  return 0;
}

}  // namespace

Aside asideOf(const UiState& ui) {
  if (ui.stageCovered) return Aside::none;  // The source replaces the stage.
  const PanelWish &source = wish(ui, Panel::source), &measures = wish(ui, Panel::measures);
  // A presentation shows the source if the step is about it, even if it was folded.
  if (ui.presenting && ui.sourceServes) return Aside::source;
  const bool isStepChosen = ui.panelServes || ui.warpView || ui.threadView || ui.ptxView;
  if (isStepChosen && !ui.stepCovered && source.wanted) return Aside::step;
  const bool isSourceNext =
      ui.sourceServes ? measures.asked <= source.asked : source.asked > measures.asked;
  if (source.wanted && (isSourceNext || showsListing(ui))) return Aside::source;
  if (!ui.measuresCovered) return measures.wanted ? Aside::measures : Aside::none;
  return source.wanted && ui.stage == Stage::scene ? Aside::source : Aside::none;
}

PanelLayout layOutBeside(const UiState& ui, float width, float height, float em,
                         const LayoutNeeds& needs) {
  const float gap = gapOf(height, em), top = topHeightOf(height, em);
  const float transport = transportHeightOf(ui, width, height, em);
  const float y = top + gap, room = middleHeightOf(ui, width, height, em);
  PanelLayout out;
  out.top = {gap, gap, width - 2 * gap, top - gap};
  if (transport > 0) out.transport = {gap, y + room + gap, width - 2 * gap, transport - gap};
  float left = gap;
  if (panelsWithRoom(ui, width, height, em)[static_cast<size_t>(Panel::controls)]) {
    out.controls = {left, y, controlsWidth(ui, width, em), room};
    out.controlsGrip = {left + out.controls.width, y, gap, room};
    left += out.controls.width + gap;
  }
  const float column = columnWidth(ui, width, em);
  // Code in large type needs the width of the stage.
  const Aside chosen = asideOf(ui);
  const bool isUnderStage = ui.presenting && (chosen == Aside::step || chosen == Aside::source);
  const Aside aside = isUnderStage ? Aside::none : chosen;
  // In a presented lesson the text takes precedence, so the notice is below the stage.
  const bool isNoticeBelowStage = needs.notice > 0 && ui.presenting && !ui.stageCovered &&
                                  room - needs.notice - gap < ui.lessonHeight;
  const float notice = needs.notice > 0 && !isNoticeBelowStage ? needs.notice + gap : 0;
  const float below = asideHeight(ui, aside, room - gap - notice, em);
  out.lesson = {left, y, column, room - notice - (below > 0 ? below + gap : 0)};
  const gfx::Box under{left, y + out.lesson.height + gap, column, below};
  if (aside == Aside::measures) out.measures = under;
  if (aside == Aside::step) out.step = under;
  if (aside == Aside::source) out.source = under;
  if (notice > 0) out.notice = {left, y + room - needs.notice, column, needs.notice};

  left += column + gap;
  out.stage = {left, y, width - left - gap, room};
  const bool needsTabs = !ui.presenting && (ui.stage != Stage::scene || ui.isProgramOpen);
  if (needsTabs && room > kLeastUnderTabs * em) {
    const float tabs = std::round(2 * em);
    out.tabs = {left, y, out.stage.width, tabs};
    out.stage.y += tabs + gap;
    out.stage.height -= tabs + gap;
  }
  if (ui.stageCovered) {
    const float strip = std::round(kCoveredStrip * em);
    placeSource(ui,
                {left, out.stage.y + strip + gap, out.stage.width, out.stage.height - strip - gap},
                gap, em, out);
    out.stage.height = strip;
    return out;
  }
  const float underStage = isNoticeBelowStage ? needs.notice + gap : 0;
  out.stage.height -= underStage;
  if (isUnderStage) {
    const float code = std::round(kCodeShare * out.stage.height);
    out.stage.height -= code + gap;
    (chosen == Aside::step ? out.step : out.source) = {
        left, out.stage.y + out.stage.height + gap + underStage, out.stage.width, code};
  }
  float code = 0;
  for (unsigned lines = needs.runningLines; lines >= 2 && aside != Aside::source && !isUnderStage;
       --lines) {
    code = codeHeightOf(ui, lines, out.stage.height, em);
    const float area = out.stage.width * (out.stage.height - code - gap);
    if (ui.presenting || area >= kLeastStageShare * width * height) break;
  }
  if (code > 0) {
    out.stage.height -= code + gap;
    out.code = {left, out.stage.y + out.stage.height + gap + underStage, out.stage.width, code};
  }
  if (underStage > 0)
    out.notice = {left, out.stage.y + out.stage.height + gap, out.stage.width, needs.notice};
  return out;
}

}  // namespace tilestep::ui
