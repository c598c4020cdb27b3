// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/timeline/panel_picture.h"
#include "features/timeline/timeline_view.h"
#include "lab/recording/recording.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::features::timeline {
namespace {

/// Explains why there is nothing to draw, and what the user can do.
void drawNothing(const Context& context) {
  const TimelineStage& stage = context.snapshot.view<TimelineStage>();
  heading(context, "Blocks on multiprocessors over time");
  if (stage.coming || (stage.note.empty() && context.snapshot.measures))
    mutedWrapped(context, "The timeline is being recorded by a run that reads the GPU's clocks.");
  else
    wrapped(stage.note.empty() ? "Nothing is measured yet." : stage.note);
  if (!stage.recording.empty()) {
    const std::string label = "Open the recording of an " + stage.recordedName;
    hint(context,
         "A recording contains these times, measured on a GPU. Open it with this button or in "
         "the list of devices (F2). The interpreter still provides the steps.");
    if (ImGui::Button(label.c_str()))
      context.session.apply(model::command("choice.device", stage.recording));
  }
  if (stage.nearest) {
    const std::string label =
        "Go to " + lab::pointText(stage.nearest->sizes, stage.nearest->tunables);
    if (ImGui::Button(cutTo(label, ImGui::GetContentRegionAvail().x - context.em).c_str()))
      context.session.goTo(*stage.nearest);
    tooltip(context, label);
  }
}

/// Draws facts such as "3.88 waves", side by side if they fit.
void drawFacts(const Context& context, const TimelineView& view) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float space = 0.35F * context.em, between = 1.3F * context.em;
  for (size_t i = 0; i < view.facts.size(); ++i) {
    const TimelineFact& fact = view.facts[i];
    compat::pushFont(context.fonts.strong, context.fonts.textPixels);
    const float value = ImGui::CalcTextSize(fact.value.c_str()).x;
    ImGui::PopFont();
    const float width = value + space + ImGui::CalcTextSize(fact.name.c_str()).x;
    if (i > 0 && ImGui::GetItemRectMax().x + between + width < right) ImGui::SameLine(0, between);
    ImGui::BeginGroup();
    compat::pushFont(context.fonts.strong, context.fonts.textPixels);
    ImGui::TextUnformatted(fact.value.c_str());
    ImGui::PopFont();
    ImGui::SameLine(0, space);
    muted(context, fact.name);
    ImGui::EndGroup();
    tooltip(context, fact.hover + "\n" + view.origin);
  }
}

/// The first line: what the timeline shows, and its origin.
void drawTitle(const Context& context) {
  const TimelineStage& stage = context.snapshot.view<TimelineStage>();
  std::string text = stage.view->title;
  if (stage.stale)
    text = (stage.coming ? "A new timeline is being recorded. This one shows "
                         : "This one shows an earlier choice: ") +
           text;
  clipped(text, ImGui::GetContentRegionAvail().x);
  hint(context, stage.view->origin + ". " + stage.view->overhead);
}

void choose(const Context& context, const TimelineNow& now, uint32_t block) {
  auto& look = context.ui.looks.of<TimelineLook>();
  look.chosen = block;
  look.range = rangeOfBlock(now.view, block);
  if (context.snapshot.view<TimelineStage>().sameGrid)
    context.session.apply(model::command("timeline.block", now.view.blockAt(block)));
}

/// A button, to the right of the last one if it fits.
bool button(const Context& context, const char* label, const char* hover, float right, bool first) {
  if (!first) sameLineIfRoom(label, right);
  const bool pressed = ImGui::Button(label);
  tooltip(context, hover);
  return pressed;
}

void drawButtons(const Context& context, const TimelineNow& now) {
  auto& look = context.ui.looks.of<TimelineLook>();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (button(context, "Whole launch", "Show the whole launch (F)", right, true)) look.range.reset();
  constexpr double kFactor = 1.5;
  if (button(context, "Closer", "Zoom in (Ctrl and +, the wheel)", right, false))
    look.range = zoomed(now.view, now.range, 0.5, 0.5, kFactor, ZoomAxes::both);
  if (button(context, "Farther", "Zoom out (Ctrl and -, the wheel)", right, false))
    look.range = zoomed(now.view, now.range, 0.5, 0.5, 1 / kFactor, ZoomAxes::both);
  if (!now.chosen) return;
  if (button(context, "Block", "Zoom to the chosen block (Z)", right, false))
    look.range = rangeOfBlock(now.view, *now.chosen);
  const auto near = now.view.nearestWithEpochs(*now.chosen);
  if (near && !now.view.rowOf(*now.chosen) &&
      button(context, "Block with epochs",
             "Go to the nearest block whose epochs were kept (its loads, sums and waits)", right,
             false))
    choose(context, now, *near);
  if (!context.snapshot.view<TimelineStage>().sameGrid &&
      button(context, "Step through it",
             "Show this block's steps in the scene, with this launch's sizes (Enter)", right,
             false))
    context.session.apply(model::command("timeline.block", now.view.blockAt(*now.chosen)));
}

/// Describes the chosen block; without one, the actions of the pointer.
std::string detailText(const TimelineNow& now) {
  if (!now.chosen)
    return "The wheel zooms (with Ctrl only time, with Shift only multiprocessors), dragging "
           "moves, a click chooses a block. The shade changes from wave to wave.";
  return blockText(now.view, *now.chosen) + ".";
}

std::vector<LegendMark> timelineMarks(const Context& context) {
  const TimelineStage& stage = context.snapshot.view<TimelineStage>();
  if (!stage.view) return {};
  const gfx::Palette& p = context.palette;
  std::vector<LegendMark> marks;
  if (stage.view->waveCount > 1) {
    marks.push_back({"blocks of odd waves on their multiprocessors", filled(waveShade(p, 0))});
    marks.push_back({"blocks of even waves", filled(waveShade(p, 1))});
  } else {
    marks.push_back({"blocks on their multiprocessors", filled(waveShade(p, 0))});
  }
  marks.push_back(
      {"resident warps of a multiprocessor (below)", filled(gfx::withAlpha(p.category(0), 0.55F))});
  if (timelineNow(context.snapshot, context.ui.looks.of<TimelineLook>()).chosen)
    marks.push_back({"the traced block", outlined(p.chosen, 2)});
  return marks;
}

void drawTimeline(const Context& context) {
  const TimelineStage& stage = context.snapshot.view<TimelineStage>();
  if (!stage.view) return drawNothing(context);
  auto& look = context.ui.looks.of<TimelineLook>();
  if (look.of != stage.view) look = {stage.view, std::nullopt, std::nullopt};
  const TimelineNow now = timelineNow(context.snapshot, look);
  drawTitle(context);
  drawFacts(context, stage.view ? *stage.view : now.view);
  const TimelineView::EpochName epoch = phaseNames(stage);
  const std::string phase = stage.view->phaseText(epoch);
  const float room = ImGui::GetContentRegionAvail().y;
  const bool words = room > 22 * context.em;
  if (words && !phase.empty()) {
    hint(context, phase);
    tooltip(context, stage.view->phaseFormulas(epoch));
  }
  const bool buttons = room > 13 * context.em && !context.ui.readOnly;  // Keys work even so.
  const bool detail = words && (now.chosen || !context.ui.readOnly);
  const float below = (detail && buttons ? 4.2F
                       : detail          ? 2.3F
                       : buttons         ? 1.9F
                                         : 0.2F) *
                      context.em;
  const float height = std::max(ImGui::GetContentRegionAvail().y - below, 7 * context.em);
  drawTimelinePicture(context, now, height);
  if (buttons) drawButtons(context, now);
  if (detail) hint(context, detailText(now));
}

class TimelinePanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::timeline; }
  [[nodiscard]] const char* stageHover() const override {
    return "Blocks on multiprocessors over time (9)";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return timelineMarks(context);
  }
  void drawStage(const Context& context) const override { drawTimeline(context); }
  bool handleKey(KeyTurn turn, const gfx::KeyEvent& event, model::Session& session,
                 UiState& ui) const override {
    return turn == KeyTurn::stage && handleTimeline(event, session, ui);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<TimelinePanel>();
}

}  // namespace tilestep::features::timeline
