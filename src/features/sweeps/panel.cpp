// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/panel.h"

#include <algorithm>
#include <array>

#include "features/sweeps/view.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using State = SweepCell::State;

constexpr std::array<const char*, model::kSweepKinds> kKindNames{"one tunable", "block shapes",
                                                                 "sizes", "ladder"};
constexpr std::array<const char*, model::kSweepKinds> kKindHovers{
    "Over one tunable: this kernel and the compared one (U: the next picture)",
    "Over two tunables at once, as a map of cells (U: the next picture)",
    "Over matrix sizes: every comparable kernel (U: the next picture)",
    "From the textbook's kernel to the fastest: the gain of each rung and its reason (U: the next "
    "picture)"};

void drawKinds(const Context& context, float right) {
  UiState& ui = context.ui;
  for (size_t i = 0; i < model::kSweepKinds; ++i) {
    if (i > 0) sameLineIfRoom(kKindNames[i], right);
    const auto kind = static_cast<SweepKind>(i);
    if (toggle(context, kKindNames[i], ui.sweep.kind == kind) && ui.sweep.kind != kind)
      chooseSweepKind(ui, kind);
    tooltip(context, kKindHovers[i]);
  }
}

/// Begins a list to the right of the last item, or below that item if there is no space.
bool beginList(const char* id, const char* preview, float width, float right) {
  const ImGuiStyle& style = ImGui::GetStyle();
  if (ImGui::GetItemRectMax().x + style.ItemSpacing.x + width <= right) ImGui::SameLine();
  ImGui::SetNextItemWidth(std::min(width, ImGui::GetContentRegionAvail().x));
  return ImGui::BeginCombo(id, preview, ImGuiComboFlags_HeightLarge);
}

/// The width that the chosen entry's text needs.
float listWidth(const std::string& text) {
  return ImGui::CalcTextSize(text.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x +
         ImGui::GetFrameHeight() + 0.3F * ImGui::GetFontSize();
}

void drawLists(const Context& context, const SweepView& view, float right) {
  UiState& ui = context.ui;
  const SweepPlan& plan = *view.plan;
  if (plan.axes.size() > 1) {
    if (beginList("##axes", plan.axes[plan.axesAt].c_str(), listWidth(plan.axes[plan.axesAt]),
                  right)) {
      for (size_t i = 0; i < plan.axes.size(); ++i)
        if (ImGui::Selectable(plan.axes[i].c_str(), i == plan.axesAt)) {
          ui.sweep.axes = i;
          ui.sweepAt.reset();
        }
      ImGui::EndCombo();
    }
    tooltip(context, plan.kind == SweepKind::ladder
                         ? "The scale of the bars (period or comma)"
                         : "The varied parameters (period: the next, comma: the previous)");
  }
  std::vector<std::string> names;
  for (const SweepQuantity quantity : view.quantities) names.push_back(nameOf(quantity, plan));
  const std::string now = nameOf(view.quantity, plan);
  if (names.size() < 2) return;
  if (beginList("##quantity", now.c_str(), listWidth(now), right)) {
    for (size_t i = 0; i < names.size(); ++i)
      if (ImGui::Selectable(names[i].c_str(), view.quantities[i] == view.quantity))
        ui.sweep.quantity = view.quantities[i];
    ImGui::EndCombo();
  }
  tooltip(context,
          view.quantities.size() < model::kSweepQuantities - 1
              ? "The quantity shown for each point (Y: the next). The interpreter counts and "
                "gives no times."
              : "The quantity shown for each point (Y: the next)");
}

/// Whether this is the ladder on the interpreter, which counts it automatically and gives no times.
bool isCounting(const SweepView& view) {
  return view.plan->kind == SweepKind::ladder && view.plan->source == SweepSource::interpreter;
}

void drawRun(const Context& context, const SweepView& view, float right) {
  const SweepProgress& progress = context.snapshot.view<SweepsView>().progress;
  model::Session& session = context.session;
  const bool recorded = view.plan->source == SweepSource::recording;
  if (progress.running) {
    sameLineIfRoom("Cancel", right);
    if (ImGui::Button("Cancel")) session.apply(model::command("sweeps.cancel"));
    tooltip(context, "(C) Keeps the points so far");
  } else if (view.plan->source == SweepSource::file) {
    sameLineIfRoom("Close the file", right);
    if (ImGui::Button("Close the file")) session.apply(model::command("sweeps.close"));
    tooltip(context, view.file + ": only its points are shown");
  } else if (view.waiting > 0) {
    sameLineIfRoom("Run", right);
    if (ImGui::Button("Run")) session.apply(model::command("sweeps.run", false));
    tooltip(context, view.wish);
  } else if (!recorded && view.done + view.missing > 0 && !isCounting(view)) {
    sameLineIfRoom("Run again", right);
    if (ImGui::Button("Run again")) session.apply(model::command("sweeps.run", true));
    tooltip(context, "(C) Deletes these points and runs them again");
  }
}

/// A button that chooses the best point of the chosen kernel, once no point waits.
void drawChoose(const Context& context, const SweepView& view, float right) {
  const std::optional<size_t> best = bestToChoose(view);
  if (!best || view.waiting > 0 || view.cells[*best].now) return;
  sameLineIfRoom("choose the best", right);
  if (ImGui::Button("choose the best")) context.session.apply(model::command("sweeps.go", *best));
  tooltip(context, view.cells[*best].hover);
}

std::string progressText(const SweepProgress& progress) {
  std::string text = std::to_string(progress.done) + " of " + std::to_string(progress.all);
  if (!progress.title.empty()) text += " over " + progress.title;
  if (progress.paused) return text + " · waiting for more urgent runs";
  if (progress.secondsLeft) text += " · about " + durationText(*progress.secondsLeft);
  return text + " · now " + progress.what;
}

void drawProgress(const Context& context) {
  const SweepProgress& progress = context.snapshot.view<SweepsView>().progress;
  if (!progress.running) return;
  const float share = progress.all == 0
                          ? 0.0F
                          : static_cast<float>(progress.done) / static_cast<float>(progress.all);
  progressBar(context, share);
  hint(context, progressText(progress));
}

/// Describes the cell that is selected by keyboard, or the possible actions; may be empty.
std::string footText(const Context& context, const SweepView& view) {
  if (context.ui.sweepAt && *context.ui.sweepAt < view.cells.size()) {
    std::string text = view.cells[*context.ui.sweepAt].hover;
    std::ranges::replace(text, '\n', ' ');
    return text;
  }
  if (context.ui.readOnly) return view.plan->leftOut;
  return (view.plan->leftOut.empty() ? "" : view.plan->leftOut + " ") +
         "Click a point to choose it and return to the scene. Alt+arrows move over the points, "
         "Enter chooses one, C runs or cancels.";
}

/// The height of a hint with the space around it.
float footHeight(const Context& context, const std::string& text) {
  return text.empty() ? 0 : hintHeight(context, text) + 2 * ImGui::GetStyle().ItemSpacing.y;
}

}  // namespace

void chooseSweepKind(UiState& ui, SweepKind kind) {
  ui.sweep.kind = kind;
  ui.sweep.axes = 0;
  ui.sweepAt.reset();
}

void touchSweepCell(const Context& context, const SweepView& view, size_t index) {
  if (!ImGui::IsWindowHovered()) return;
  showTooltip(context, view.cells[index].hover);
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  context.ui.sweepAt = index;
  if (context.session.apply(model::command("sweeps.go", index))) context.ui.sweepAt.reset();
}

std::string sweepWish(const Context& context, const SweepView& view) {
  if (view.done > 0 || view.wish.empty() || context.snapshot.view<SweepsView>().progress.running)
    return {};
  return "C or Enter" + view.wish.substr(1);
}

std::vector<LegendMark> sweepsMarks(const Context& context) {
  const SweepsView& sweeps = context.snapshot.view<SweepsView>();
  if (!sweeps.picture || sweeps.picture->cells.empty()) return {};
  const SweepView& view = *sweeps.picture;
  const gfx::Palette& p = context.palette;
  const bool isMap = !view.plan->y.values.empty();
  std::vector<LegendMark> marks = sweeps.ladder ? ladderMarks(context, *sweeps.ladder)
                                  : isMap       ? sweepMapMarks(context, view)
                                                : sweepPlotMarks(context, view);
  if (view.illegal > 0)
    marks.push_back({"cannot run", [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
                       hatch(list, min, max, colour(p.mutedText), 4);
                     }});
  if (view.missing > 0 && isMap) marks.push_back({"no value", ruled(p.mutedText, 1.5F)});
  if (view.waiting > 0 && !sweeps.ladder)
    marks.push_back({"not run yet", plotMark(Mark::circle, p.mutedText, true)});
  return marks;
}

void drawSweeps(const Context& context) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const float top = ImGui::GetCursorPosY();
  const float whole = ImGui::GetContentRegionAvail().y;
  if (!context.ui.readOnly) drawKinds(context, right);
  const auto& sweeps = context.snapshot.view<SweepsView>();
  if (!sweeps.picture) {
    drawProgress(context);
    return hint(context, context.snapshot.device.empty() ? "Waiting for the worker."
                                                         : "Reading the points…");
  }
  const SweepView& view = *sweeps.picture;
  if (!context.ui.readOnly) {
    drawLists(context, view, right);
    drawRun(context, view, right);
    drawChoose(context, view, right);
    drawProgress(context);
  }
  wrapped(view.story);
  hint(context, view.title + (view.plan->fixed.empty() ? "" : ", " + view.plan->fixed) +
                    (view.origin.empty() ? "" : " · " + view.origin));
  if (view.cells.empty()) return;
  if (sweeps.ladder) return drawLadder(context, view, *sweeps.ladder);
  const std::string foot = footText(context, view);
  const float below = footHeight(context, foot);
  const float height = std::max(whole - (ImGui::GetCursorPosY() - top) - below, 11 * context.em);
  view.plan->y.values.empty() ? drawSweepPlot(context, view, height)
                              : drawSweepMap(context, view, height);
  if (!foot.empty()) hint(context, foot);
}

}  // namespace tilestep::features
