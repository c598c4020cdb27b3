// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/figure.h"
#include "features/live/live.h"
#include "features/live/panel_plots.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::features::live {
namespace {

using nlohmann::json;

/// A large figure with its name above it and its spread below.
struct BigFigure {
  std::string name, value, spread, hover;
};

/// The newest configuration; null if there is none.
const LiveRun* newestOf(const LiveView& view) {
  return view.runs.empty() ? nullptr : &view.runs.back();
}

/// The values behind the large figures: the last second's, or a recorded median.
std::optional<LiveRecent> recentOf(const LiveView& view) {
  const LiveRun* run = newestOf(view);
  if (run == nullptr || !view.ofNow) return std::nullopt;
  if (run->recorded)
    return LiveRecent{run->recorded->repetitions,
                      run->recorded->medianMs,
                      run->recorded->p10Ms,
                      run->recorded->p90Ms,
                      {},
                      0};
  if (view.recent.samples == 0) return std::nullopt;
  return view.recent;
}

BigFigure rateFigure(const std::string& name, double amount, const LiveRecent& recent,
                     std::string (*text)(double), const std::string& hover) {
  const auto rate = [&](double ms) { return amount / ms * 1e3; };
  return {name, text(rate(recent.medianMs)),
          text(rate(recent.p90Ms)) + " – " + text(rate(recent.p10Ms)), hover};
}

std::string bytesText(double value) {
  return toText(value, Unit::bytesPerSecond);
}
std::string flopText(double value) {
  return toText(value, Unit::flopPerSecond);
}

std::vector<BigFigure> figuresOf(const LiveRun& run, const LiveRecent& recent) {
  std::vector<BigFigure> figures;
  if (run.operations)
    figures.push_back(rateFigure("work", *run.operations, recent, flopText,
                                 "Operations of one launch, by formula, divided by its time."));
  const auto time = [](double ms) { return toText(ms / 1e3, Unit::seconds); };
  figures.push_back({"one launch", time(recent.medianMs),
                     time(recent.p10Ms) + " – " + time(recent.p90Ms),
                     "Time between an event just before the launch and an event just after "
                     "it, on the GPU's clock. The events account for about 3 µs of it."});
  if (run.askedBytes)
    figures.push_back(rateFigure("asked by lanes", *run.askedBytes, recent, bytesText,
                                 "Bytes that lanes load and store, counted once for this "
                                 "choice, divided by each launch's time."));
  if (run.sectorBytes)
    figures.push_back(rateFigure("L1 sectors", *run.sectorBytes, recent, bytesText,
                                 "32 bytes for each sector that requests touch, counted once "
                                 "for this choice, divided by each launch's time."));
  if (run.dramBytes && run.dramMs)  // Other launches moved these bytes.
    figures.push_back(
        {run.dramName, bytesText(*run.dramBytes / *run.dramMs * 1e3), "", run.dramFrom});
  else if (run.dramBytes)
    figures.push_back(rateFigure(run.dramName, *run.dramBytes, recent, bytesText, run.dramFrom));
  return figures;
}

float widthOf(const Context& context, const BigFigure& figure) {
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  float width = ImGui::CalcTextSize(figure.value.c_str()).x;
  ImGui::PopFont();
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  width = std::max({width, ImGui::CalcTextSize(figure.name.c_str()).x,
                    ImGui::CalcTextSize(figure.spread.c_str()).x});
  ImGui::PopFont();
  return width;
}

/// Draws as many figures as fit. Column widths do not depend on the digits.
void drawFigures(const Context& context, const std::vector<BigFigure>& figures) {
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float small = context.fonts.smallPixels, large = context.fonts.largePixels;
  float least = 9.5F * context.em;
  for (const BigFigure& figure : figures)
    least = std::max(least, widthOf(context, figure) + 0.8F * context.em);
  const auto columns = std::max<size_t>(
      1, std::min(figures.size(), static_cast<size_t>(std::max(width / least, 1.0F))));
  const float column = std::min(width / static_cast<float>(columns), 1.25F * least);
  for (size_t i = 0; i < columns; ++i) {
    const float x = start.x + column * static_cast<float>(i);
    ImGui::SetCursorScreenPos({x, start.y});
    ImGui::BeginGroup();
    compat::pushFont(context.fonts.small, small);
    muted(context, figures[i].name);
    ImGui::PopFont();
    ImGui::SetCursorScreenPos({x, start.y + 1.25F * small});
    compat::pushFont(context.fonts.large, large);
    ImGui::TextUnformatted(figures[i].value.c_str());
    ImGui::PopFont();
    ImGui::SetCursorScreenPos({x, start.y + 1.35F * small + 1.2F * large});
    compat::pushFont(context.fonts.small, small);
    muted(context, figures[i].spread);
    ImGui::PopFont();
    ImGui::EndGroup();
    tooltip(context, figures[i].hover);
  }
  ImGui::SetCursorScreenPos({start.x, start.y + 2.75F * small + 1.2F * large});
}

/// Explains the large figures and how launches are timed.
std::string figuresText(const LiveView& view) {
  const LiveRun& run = *newestOf(view);
  if (run.recorded)
    return run.device + ": median of " + std::to_string(run.recorded->repetitions) +
           " samples. Below it, the range of the middle 80 %.";
  std::string text = "Median of the " + std::to_string(view.recent.samples) +
                     " launches timed in the last second; below it, the range of the middle 80 %";
  if (view.recent.launchesPerSecond > 0)
    text += "; " + toText(view.recent.launchesPerSecond, Unit::count) + " launches per second";
  if (run.every > 1) text += ", one of " + std::to_string(run.every) + " timed";
  constexpr double kShortMs = 0.1;
  if (view.recent.medianMs < kShortMs) text += "; timing accounts for about 3 µs of each";
  if (view.recent.clockMhz) {
    std::array<char, 40> clock{};
    std::snprintf(clock.data(), clock.size(), "; clock %.0f MHz", *view.recent.clockMhz);
    text += clock.data();
  }
  return text + ".";
}

std::string stateText(const LiveView& view) {
  switch (view.state) {
    case LiveView::State::running:
      return "running on " + view.runs.back().device;
    case LiveView::State::waiting:
      return "waiting for the first launch";
    case LiveView::State::paused:
      return "paused";
    case LiveView::State::none:
      return "";
  }
  return "";
}

void drawLiveButtons(const Context& context) {
  const LiveView& view = context.snapshot.view<LiveView>();
  const bool paused = view.state == LiveView::State::paused;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (view.state != LiveView::State::none) {
    const float width =  // Wide enough for either label.
        ImGui::CalcTextSize("Resume (P)").x + 2 * ImGui::GetStyle().FramePadding.x;
    if (ImGui::Button(paused ? "Resume (P)" : "Pause (P)", {width, 0}))
      context.session.apply(model::command("live.pause", !paused));
    sameLineIfRoom("Clear (Del)", right);
  }
  ImGui::BeginDisabled(view.runs.empty());
  if (ImGui::Button("Clear (Del)")) context.session.apply(model::command("live.clear"));
  ImGui::EndDisabled();
  const std::string state = stateText(view);
  if (state.empty()) return;
  sameLineIfRoom(state.c_str(), right);
  ImGui::AlignTextToFramePadding();
  muted(context, cutTo(state, right - ImGui::GetCursorScreenPos().x));
}

/// Explains the plots, and what they omit.
std::string plotsText(const LiveView& view) {
  const LiveRun& run = *newestOf(view);
  std::string text = run.recorded
                         ? "Each hollow mark is a recorded median; its line spans the middle 80 %."
                         : "Each dot is one launch.";
  if (run.askedBytes)
    text += " Bytes are counted once for each choice and divided by each launch's time";
  if (run.askedBytes)
    text += run.dramMs ? "; DRAM's bytes are divided by the time of runs with cold caches." : ".";
  if (!run.recorded && !run.dramBytes && run.askedBytes)
    text += " Press C to measure DRAM's bytes, too.";
  if (run.split) {
    std::array<char, 160> overhead{};
    std::snprintf(overhead.data(), overhead.size(),
                  ", in a run that takes %.2f times as "
                  "long; while one warp waits, others may work.",
                  run.split->overhead);
    text += " A warp's cycles are measured once for each choice";
    if (!run.split->blocks.empty()) text += ", over " + run.split->blocks;
    text += overhead.data();
  }
  if (view.forgotten > 0)
    text += " The plots keep the newest " + grouped(view.points) + " launches; " +
            grouped(view.forgotten) + " older ones were discarded.";
  if (view.dropped > 0)
    text += " " + grouped(view.dropped) +
            " launches were lost, because they were not read in time or were too short to time.";
  return text + " The wheel zooms, F follows again, comma switches to a logarithmic axis.";
}

std::vector<LegendMark> liveMarks(const Context& context) {
  const LiveView& view = context.snapshot.view<LiveView>();
  const LiveRun* run = newestOf(view);
  const bool hasPlots = run != nullptr && !(run->recorded && view.runs.size() < 2);
  if (!hasPlots) return {};
  const gfx::Palette& p = context.palette;
  std::vector<LegendMark> marks;
  if (run->recorded) {
    marks.push_back(
        {"a recorded median with its middle 80 %", plotMark(Mark::circle, p.text, true)});
  } else {
    marks.push_back({"FLOP/s of one launch", plotMark(Mark::circle, p.text, false)});
  }
  if (run->askedBytes)
    marks.push_back({"bytes that lanes request", plotMark(Mark::triangle, p.category(0), false)});
  if (run->sectorBytes)
    marks.push_back({"sectors that requests touch", plotMark(Mark::square, p.category(1), false)});
  if (run->dramBytes)
    marks.push_back({"bytes that DRAM moves", plotMark(Mark::circle, p.category(2), false)});
  marks.push_back({"a change of the choice", [&p](ImDrawList& list, ImVec2 min, ImVec2 max) {
                     const float middle = (min.x + max.x) / 2;
                     list.AddLine({middle, min.y}, {middle, max.y}, colour(p.text, 0.45F));
                   }});
  return marks;
}

void drawLive(const Context& context) {
  const LiveView& view = context.snapshot.view<LiveView>();
  heading(context, "Live", view.ofNow && newestOf(view) != nullptr ? newestOf(view)->label : "");
  const bool any = view.state != LiveView::State::none || !view.runs.empty();
  if (any && !context.ui.readOnly) drawLiveButtons(context);
  if (!view.said.empty()) {
    const bool ended = view.state == LiveView::State::paused;
    ended ? warning(context, view.said) : wrapped(view.said);
    if (!context.snapshot.measures && view.state == LiveView::State::none)
      drawOpenRecording(context);
  }
  if (newestOf(view) == nullptr) return;
  if (const std::optional<LiveRecent> recent = recentOf(view)) {
    drawFigures(context, figuresOf(*newestOf(view), *recent));
    hint(context, figuresText(view));
  }
  if (view.ofNow && !view.warning.empty()) warning(context, view.warning);
  // A recording has one point per choice, and a single point is not a plot.
  if (newestOf(view)->recorded && view.runs.size() < 2) return;
  const std::string below = plotsText(view);
  const float spacing = ImGui::GetStyle().ItemSpacing.y;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float least = 9 * context.em, text = hintHeight(context, below) + 2 * spacing;
  // The plots have precedence over the text.
  const bool both = room.y - text >= std::max(least, 22 * context.fonts.smallPixels);
  drawLivePlots(context, {room.x, std::max(both ? room.y - text : room.y - spacing, least)});
  if (both || room.y < least) hint(context, below);
}

json stateOf(const LiveView& view) {
  constexpr std::array<const char*, 4> kStates{"waiting", "running", "paused", "none"};
  return {{"state", kStates[static_cast<size_t>(view.state)]},
          {"said", view.said},
          {"warning", view.warning},
          {"points", view.points},
          {"choices", view.runs.size()},
          {"of_now", view.ofNow},
          {"change", view.runs.empty() ? "" : view.runs.back().change},
          {"median_ms", view.recent.medianMs}};
}

/// P pauses or continues; Delete removes all samples.
bool handleLive(const gfx::KeyEvent& event, model::Session& session) {
  if (event.key == gfx::Key::remove) return session.apply(model::command("live.clear")), true;
  const bool letter = (event.text == U'p' || event.text == U'P') && !event.control && !event.alt;
  if (!letter) return false;
  const LiveView::State state = session.snapshot()->view<LiveView>().state;
  if (state != LiveView::State::none)
    session.apply(model::command("live.pause", state != LiveView::State::paused));
  return true;  // Even then, P must not play the hidden scene.
}

class LivePanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::live; }
  [[nodiscard]] const char* stageHover() const override {
    return "The same launch repeated, live (7)";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return liveMarks(context);
  }
  void drawStage(const Context& context) const override { drawLive(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("live.watch", isShown));
  }
  bool handleKey(KeyTurn turn, const gfx::KeyEvent& event, model::Session& session,
                 UiState& ui) const override {
    return turn == KeyTurn::stage && ui.stage == Stage::live && handleLive(event, session);
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["live"] = stateOf(now.view<LiveView>());
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<LivePanel>();
}

}  // namespace tilestep::features::live
