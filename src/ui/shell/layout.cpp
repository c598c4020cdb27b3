// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilestep::ui {
namespace {

/// Scales a chosen width or height, which is stored for a 16-pixel font.
float chosenOr(float chosen, float automatic, float scale) {
  return chosen > 0 ? chosen * scale : automatic;
}

constexpr float kLeastSceneWidth = 30, kLeastSceneHeight = 16, kLeastUnderLesson = 11;  // em
constexpr float kLeastOverPanel = 8;  // em, of a plot whose step also shows a panel
constexpr float kLeastUnderTabs = 16, kLeastUnderTabsWithLesson = 36;   // em
constexpr float kLeastPresentedWidth = 26, kLeastPresentedHeight = 17;  // em
constexpr float kLessonShare = 0.45F;     // The scene keeps the larger part,
constexpr float kMostLessonShare = 0.8F;  // unless a question or the answer to it needs more.
constexpr float kCoveredStrip = 2.2F;     // em
constexpr float kLeastBesideNotice = 11;  // em
/// Of the window's area. The running lines beside a lesson are fewer where the stage needs it.
constexpr float kLeastStageShare = 0.455F;
/// Where the scene would be smaller than this, a lesson or a requested panel takes its place.
constexpr float kNarrowestScene = 16, kLowestScene = 5;  // em

const PanelWish& wish(const UiState& ui, Panel panel) {
  return ui.panels[static_cast<size_t>(panel)];
}

/// The code of an open exercise is looked at beside the stage.
bool showsListing(const UiState& ui) {
  return ui.stage == Stage::exercises && ui.exerciseOpen;
}

float controlsWidth(const UiState& ui, float width, float em) {
  const float automatic = std::clamp(0.17F * width, 15.5F * em, 19 * em);
  return std::round(std::clamp(chosenOr(ui.controlsWidth, automatic, em / 16), 13 * em,
                               std::max(13 * em, 0.35F * width)));
}

float measuresWidth(const UiState& ui, float width, float em) {
  const float automatic = ui.presenting ? std::clamp(0.31F * width, 15 * em, 22 * em)
                                        : std::clamp(0.26F * width, 22.5F * em, 30 * em);
  const float least = (ui.presenting ? 15.0F : 18.0F) * em;
  return std::round(std::clamp(chosenOr(ui.measuresWidth, automatic, em / 16), least,
                               std::max(least, 0.45F * width)));
}

float sourceHeight(const UiState& ui, float middle, float em) {
  // A lesson takes its room from the source panel, not from the scene.
  const bool little = middle < 48 * em || ui.lessonHeight > 0;
  const float share = (showsListing(ui) ? 0.4F : little ? 0.2F : 0.29F) * middle;
  constexpr float kEightLines = 12.5F;  // em
  const float automatic =
      ui.inLessonDensity() ? std::max(share, std::min(kEightLines * em, 0.28F * middle)) : share;
  return std::round(std::clamp(chosenOr(ui.sourceHeight, automatic, em / 16), 7.5F * em,
                               std::max(7.5F * em, 0.7F * middle)));
}

/// Between panels.
float gapOf(float height, float em) {
  return std::round((isLow(height, em) ? 0.2F : 0.4F) * em);
}

/// What stands below the text in a lesson's column.
enum class Aside : uint8_t { none, measures, step, source };

Aside asideOf(const UiState& ui) {
  if (ui.stageCovered) return Aside::none;  // The source has the stage's place.
  const PanelWish &source = wish(ui, Panel::source), &measures = wish(ui, Panel::measures);
  const bool isStepChosen = ui.panelServes || ui.warpView || ui.threadView || ui.ptxView;
  if (isStepChosen && !ui.stepCovered && source.wanted) return Aside::step;
  const bool isSourceNext =
      ui.sourceServes ? measures.asked <= source.asked : source.asked > measures.asked;
  if (source.wanted && (isSourceNext || showsListing(ui))) return Aside::source;
  if (!ui.measuresCovered) return measures.wanted ? Aside::measures : Aside::none;
  return source.wanted && ui.stage == Stage::scene ? Aside::source : Aside::none;
}

float columnWidth(const UiState& ui, float width, float em) {
  const float share = ui.presenting ? 0.34F : 0.28F, least = ui.presenting ? 17 : 20;
  return std::round(std::clamp(share * width, least * em, 32 * em));
}

/// The height of what stands below a lesson's text, in a column of `room`, for text of
/// `ui.lessonHeight`. It gives way to the text, and scrolls; the text scrolls where even that is
/// too little.
float asideHeight(const UiState& ui, Aside aside, float room, float em) {
  const float left = room - ui.lessonHeight;
  switch (aside) {
    case Aside::none:
      return 0;
    case Aside::measures: {
      constexpr float kLeastPlot = 12;  // em
      const float controls = std::min(ui.lessonControlsHeight, 0.5F * room);
      // In a presentation the text is what must be seen, and keys change the tunable, too.
      if (ui.presenting && left < controls) return 0;
      const bool lacksRoom = ui.presenting && left < controls + kLeastPlot * em;
      if (!ui.plotServes || lacksRoom) return std::round(controls);
      const float least = std::min(controls + kLeastPlot * em, 0.6F * room);
      const float height = std::max(left, least);
      // What must be seen of the text comes first.
      return std::round(std::max(std::min(height, room - ui.card.least), controls));
    }
    case Aside::step:
      return std::round(std::clamp(left, 10 * em, std::max(10 * em, 0.7F * room)));
    case Aside::source:
      return std::round(std::clamp(left, 7.5F * em, std::max(7.5F * em, 0.6F * room)));
  }
  return 0;
}

float topHeightOf(const UiState& ui, float height, float em) {
  return std::round((ui.presenting || isLow(height, em) ? 2.6F : 2.9F) * em);
}

/// While presenting and in a lesson, the buttons and the scrubber share one line, so that the scene
/// gets more room.
float transportHeightOf(const UiState& ui, float width, float height, float em) {
  if (ui.withoutTransport) return 0;
  if (isVeryLow(height, em)) return std::round(2.9F * em);
  if (isLessonBeside(ui, width, em)) return std::round(3.1F * em);
  if (ui.presenting) return std::round(3.3F * em);
  return std::round((isLow(height, em) ? 4.2F : 5.9F) * em);
}

/// A presentation, a lesson and a low window have no line for notices.
float statusHeightOf(const UiState& ui, float width, float height, float em) {
  constexpr float kLeast = 36;  // em
  const bool hasNone = ui.presenting || isLessonBeside(ui, width, em) || height < kLeast * em;
  return hasNone ? 0 : std::round(1.5F * em);
}

/// The height of the lesson's card above a stage of this height.
float lessonHeightOf(const UiState& ui, float stage) {
  const float share = std::clamp(ui.card.least, kLessonShare * stage, kMostLessonShare * stage);
  return std::round(std::min(ui.lessonHeight, share));
}

/// The height of the running lines below a presented scene: `most` lines, or fewer where the scene
/// needs the room; 0 where there are none.
float codeHeightOf(const UiState& ui, unsigned most, float stage, float em) {
  if (ui.stage != Stage::scene) return 0;
  constexpr float kLine = 1.25F, kPadding = 1.3F;  // em
  // A removed line is what the scene is about, so the scene gives way to it.
  const bool isRemoved = most > LayoutNeeds{}.runningLines;
  const float least = isRemoved ? kLeastBesideNotice : kLeastPresentedHeight;
  for (unsigned lines = most; lines >= 2; --lines) {
    const float height = std::ceil((kLine * static_cast<float>(lines) + kPadding) * em);
    if (stage - height >= least * em) return height;
  }
  return 0;
}

/// The height of the row between the top bar and the transport bar.
float middleHeightOf(const UiState& ui, float width, float height, float em) {
  const float gap = gapOf(height, em);
  return std::max(height - topHeightOf(ui, height, em) - transportHeightOf(ui, width, height, em) -
                      statusHeightOf(ui, width, height, em) - 3 * gap,
                  4 * em);
}

/// Source and step stand side by side where both are readable; otherwise only the step is shown.
void placeSource(const UiState& ui, const gfx::Box& row, float gap, float em, PanelLayout& out) {
  const bool both = row.width >= 34 * em || ui.stageCovered;
  const float stepWidth =
      both ? std::round(std::clamp(0.42F * row.width, 14 * em, 40 * em)) : row.width;
  // In the lesson's density, and for an exercise, the source stands alone until a view of the step
  // is chosen, or a lesson's step brings one.
  const bool listing = ui.inLessonDensity() || showsListing(ui);
  const bool chosen = ui.warpView || ui.threadView || ui.ptxView || ui.panelServes;
  const bool sourceAlone = (listing && !chosen) || (ui.stageCovered && ui.stepCovered);
  if (sourceAlone)
    out.source = row;
  else if (both)
    out.source = {row.x, row.y, row.width - stepWidth - gap, row.height};
  if (!sourceAlone) out.step = {row.x + row.width - stepWidth, row.y, stepWidth, row.height};
  if (!ui.stageCovered) out.sourceGrip = {row.x, row.y - gap, row.width, gap};
}

/// Before a lab's prediction is made, its question is all there is.
PanelLayout layOutPrediction(const UiState& ui, float width, float height, float em) {
  const float gap = gapOf(height, em), top = topHeightOf(ui, height, em);
  PanelLayout out;
  out.top = {gap, gap, width - 2 * gap, top - gap};
  const float room = height - top - 2 * gap;
  const float card = std::min(width - 2 * gap, 56 * em);
  const float tall = std::min(std::max(ui.lessonHeight, 8 * em), room);
  out.lesson = {std::round((width - card) / 2), top + gap + std::round(0.3F * (room - tall)), card,
                tall};
  return out;
}

/// A lesson beside the stage: its text in a column, and below it what its step needs; the running
/// lines below the scene. All else is the stage's.
PanelLayout layOutBeside(const UiState& ui, float width, float height, float em,
                         const LayoutNeeds& needs) {
  const float gap = gapOf(height, em), top = topHeightOf(ui, height, em);
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
  const Aside aside = asideOf(ui);
  // The text of a presented lesson comes first; the notice then stands below the stage.
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
  float code = 0;
  for (unsigned lines = needs.runningLines; lines >= 2 && aside != Aside::source; --lines) {
    code = codeHeightOf(ui, lines, out.stage.height, em);
    if (out.stage.width * (out.stage.height - code - gap) >= kLeastStageShare * width * height)
      break;
  }
  if (code > 0) {
    out.stage.height -= code + gap;
    out.code = {left, out.stage.y + out.stage.height + gap + underStage, out.stage.width, code};
  }
  if (underStage > 0)
    out.notice = {left, out.stage.y + out.stage.height + gap, out.stage.width, needs.notice};
  return out;
}

}  // namespace

bool isLessonBeside(const UiState& ui, float width, float em) {
  const float least = (ui.presenting ? 44 : 54) * em;
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
  // A program has its text, its findings and its steps in one view.
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
  // Source and step belong to the scene, and the source to an exercise; with a plot they are shown
  // only on request.
  const bool plots = ui.stage != Stage::scene;
  // A presentation has no source panel otherwise.
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
  if (panel == Panel::controls && ui.inLessonDensity()) ui.density = model::Density::lab;
  if (!wish.wanted) return;
  for (const PanelWish& other : ui.panels) wish.asked = std::max(wish.asked, other.asked + 1);
}

void toggleDensity(UiState& ui) {
  using model::Density;
  ui.density = ui.density == Density::lab ? Density::lesson : Density::lab;
}

PanelLayout layOut(const UiState& ui, float width, float height, float em,
                   const LayoutNeeds& needs) {
  if (ui.predicting) return layOutPrediction(ui, width, height, em);
  if (isLessonBeside(ui, width, em)) return layOutBeside(ui, width, height, em, needs);
  const float gap = gapOf(height, em);
  const float topHeight = topHeightOf(ui, height, em);
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
  if (alone) {  // The panel that was requested last takes all the room.
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
  // In the lesson's density the scene needs no tabs, but the ways to it and to a program do.
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
    if (out.stage.height < kLowestScene * em) {  // A scene this low would show nothing.
      out.lesson.height += out.stage.height + gap;
      out.stage = {};
    }
  }
  // The running lines have as much room with the notice as without it.
  const float code = ui.presenting ? codeHeightOf(ui, needs.runningLines, out.stage.height, em) : 0;
  const float leastStage = kLeastBesideNotice * em + (code > 0 ? code + gap : 0);
  const bool noticed = needs.notice > 0 && out.stage.height - needs.notice - gap >= leastStage;
  const float notice = noticed ? needs.notice + gap : 0;
  out.stage.height -= notice;
  if (ui.stageCovered && out.stage.height > 0) {  // All but a line of it goes to the source.
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
