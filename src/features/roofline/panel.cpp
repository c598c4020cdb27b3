// SPDX-License-Identifier: Apache-2.0
#include "features/roofline/panel.h"

#include <algorithm>
#include <array>
#include <functional>

#include "features/roofline/panel_plot.h"
#include "features/roofline/roofline_view.h"
#include "model/text/stopped_launch.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using metrics::Level;

constexpr std::array<Level, metrics::kLevels> kOrder{Level::lanes, Level::l1, Level::l2,
                                                     Level::dram, Level::shared};

/// The main kernel's point at the level; null if there is none.
const RoofPoint* pointAt(const RooflineView& view, Level level) {
  for (const RoofPoint& at : view.points)
    if (at.point.level == level && !at.companion && at.flopPerSecond) return &at;
  return nullptr;
}

void chooseFocus(const Context& context, Level level) {
  const auto focus = static_cast<RoofFocus>(static_cast<int>(level) + 1);
  context.ui.chooseRoofFocus(context.ui.shownRoofFocus() == focus ? RoofFocus::nearest : focus);
}

/// `height` is the height of the content beside the mark, in pixels.
void drawLevelMark(const Context& context, const RoofPoint& at, float em, float height) {
  const bool focus = at.point.level == focusOf(context);
  const gfx::Palette& p = context.palette;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  drawMark(*ImGui::GetWindowDrawList(), {corner.x + 0.5F * em, corner.y + 0.5F * height},
           markOf(at.point.level), 0.32F * em, colour(focus ? p.accent : p.text),
           at.point.hollow || at.bound, 1.5F);
  ImGui::Dummy({em, height});
  ImGui::SameLine(0, 0.3F * em);
}

/// A button below the plot.
struct Choice {
  std::string name, hover;
  bool on = false;
  std::function<void()> take;
  const RoofPoint* at = nullptr;  ///< The point whose mark the button shows; or null.
};

/// A button for each level that has a point, and buttons that show more.
std::vector<Choice> choicesOf(const Context& context, const RooflineView& view) {
  std::vector<Choice> choices;
  for (const Level level : kOrder)
    if (const RoofPoint* at = pointAt(view, level))
      choices.push_back({nameOf(at->point), at->hover, level == focusOf(context),
                         [&context, level] { chooseFocus(context, level); }, at});
  if (choices.size() > 1)
    choices.push_back({"all levels", "Shows every level of memory with its own roof",
                       context.ui.showsAllLevels(), [&ui = context.ui] { ui.toggleAllLevels(); }});
  const bool others = !view.marks.empty() || !view.rungs.empty() ||
                      std::ranges::any_of(view.points, &RoofPoint::companion);
  if (others)
    choices.push_back(
        {"other kernels", "Shows the compared kernel, the ladder's kernels and libraries",
         context.ui.roofOthers, [&ui = context.ui] { ui.roofOthers = !ui.roofOthers; }});
  return choices;
}

/// Calls `draw` for each button, with whether it begins a line. Returns the number of lines.
int placeChoices(const Context& context, const std::vector<Choice>& choices, float room,
                 const std::function<void(const Choice&, bool)>& draw) {
  const float em = context.fonts.smallPixels;
  int lines = 0;
  float used = room;
  for (const Choice& choice : choices) {
    const float width = ImGui::CalcTextSize(choice.name.c_str()).x +
                        (choice.at != nullptr ? 1.3F * em : 0) +
                        2 * ImGui::GetStyle().FramePadding.x + 0.6F * em;
    const bool begins = used + width > room;
    lines += begins ? 1 : 0;
    used = begins ? width : used + width;
    draw(choice, begins);
  }
  return lines;
}

void drawChoices(const Context& context, const std::vector<Choice>& choices, float room) {
  const float em = context.fonts.smallPixels;
  placeChoices(context, choices, room, [&](const Choice& choice, bool begins) {
    if (!begins) ImGui::SameLine(0, 0.6F * em);
    if (choice.at != nullptr) drawLevelMark(context, *choice.at, em, ImGui::GetFrameHeight());
    if (toggle(context, choice.name.c_str(), choice.on)) choice.take();
    tooltip(context, choice.hover);
  });
}

/// The origin of the roofs and of the points. Beside the scene, the heading states it.
std::string originOf(const model::Snapshot& now) {
  const RooflineView& view = now.view<RooflineView>();
  std::string text = "Roofs of " + view.device + ", " + view.origin + ".";
  if (view.points.empty() || !now.figuresMain) return text;
  text += " Points: " + view.of + ", ";
  const bool timed = now.figuresMain->measurement && !now.choice.whatIf;
  return text +
         (timed ? "timed on " + model::deviceText(now.figuresMain->device)
                : std::string("counted, not timed here")) +
         ".";
}

/// Compares the highlighted point with its roof, in a sentence.
std::string verdictOf(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  const RooflineView& view = now.view<RooflineView>();
  const std::optional<Level> focus = focusOf(context);
  const RoofPoint* at = focus ? pointAt(view, *focus) : nullptr;
  if (focus == view.nearest || at == nullptr || !now.figuresMain) return view.verdict;
  return model::shortNameOf(now.figuresMain->kernel) + ", " + nameOf(at->point) + ": " + at->words +
         ".";
}

/// The reason why there are no points; empty if there are points.
std::string whyNoPoints(const model::Snapshot& now) {
  if (now.figuresOfBlock)
    return "No points: only one block was run at this size. C counts the whole grid.";
  if (const std::string why = model::whyNotCounted(now.figuresMain.get()); !why.empty()) return why;
  if (!now.view<RooflineView>().points.empty() || !now.figuresMain) return {};
  return now.figuresMain->counters
             ? "No points: this kernel has no counted floating-point operations."
             : "No points: nothing was counted at these sizes.";
}

/// Notes on the figures, shown below the verdict.
std::vector<std::string> notesOf(const Context& context, bool table) {
  const model::Snapshot& now = context.snapshot;
  const RooflineView& view = now.view<RooflineView>();
  std::vector<std::string> said;
  for (const RoofPoint& at : view.points)
    if (!at.why.empty() && !at.companion && focusOf(context) == Level::lanes)
      said.push_back(at.why);
  if (const std::string why = whyNoPoints(now); !why.empty()) said.push_back(why);
  if (table && !view.published.empty()) said.push_back(view.published);
  const auto mixes = [](const RoofPoint& at) {
    return !at.companion && at.point.coldBytes && at.point.performance && !at.point.coldPerformance;
  };
  if (table && std::ranges::any_of(view.points, mixes))
    said.push_back(
        "L2 and DRAM bytes were counted with cold caches; the time was measured with warm caches.");
  // The traffic table counts the program's requests, which are more.
  const bool isShared = focusOf(context) == Level::shared || context.ui.showsAllLevels();
  if (context.ui.stage == Stage::roofline && isShared && pointAt(view, Level::shared) != nullptr)
    said.push_back(
        "The hardware counts shared memory in wavefronts of 128 bytes. They are fewer than the "
        "bytes that the program requests, because the assembler merges loads.");
  if (context.ui.stage == Stage::roofline) said.push_back(originOf(now));
  return said;
}

float heightOf(const std::vector<std::string>& sentences, float width) {
  float height = 0;
  for (const std::string& text : sentences)
    if (!text.empty()) height += wrappedHeight(text, width) + ImGui::GetStyle().ItemSpacing.y;
  return height;
}

// --- The table of the large plot: one row per level --------------------------------------------

struct RoofColumn {
  const char* name;
  float em;
};
constexpr std::array<RoofColumn, 5> kRoofColumns{{{"level", 8.4F},
                                                  {"moved", 5},
                                                  {"intensity", 6.5F},
                                                  {"achieved, caches", 9.9F},
                                                  {"roof there", 6.5F}}};

float wordsWidth(float width, float em) {
  float fixed = 0;
  for (const RoofColumn& column : kRoofColumns)
    fixed += column.em * em + 2 * ImGui::GetStyle().CellPadding.x;
  return width - fixed - 2 * ImGui::GetStyle().CellPadding.x;
}

std::vector<const RoofPoint*> rowsOf(const RooflineView& view) {
  std::vector<const RoofPoint*> rows;
  for (const Level level : kOrder)
    if (const RoofPoint* at = pointAt(view, level)) rows.push_back(at);
  return rows;
}

/// With `wrap` false, the words are cut to one line.
float tableHeight(const RooflineView& view, float width, float em, bool wrap) {
  const float pad = 2 * ImGui::GetStyle().CellPadding.y, line = ImGui::GetTextLineHeight();
  const std::vector<const RoofPoint*> rows = rowsOf(view);
  if (!wrap) return static_cast<float>(rows.size() + 1) * (line + pad);
  float height = line + pad;
  for (const RoofPoint* at : rows) height += wrappedHeight(at->words, wordsWidth(width, em)) + pad;
  return height;
}

void drawRow(const Context& context, const RoofPoint& at, float em, bool wrap) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  drawLevelMark(context, at, em, ImGui::GetTextLineHeight());
  const std::string name = nameOf(at.point);
  const bool focus = at.point.level == focusOf(context);
  ImGui::PushStyleColor(ImGuiCol_Text,
                        vector(focus ? context.palette.text : context.palette.mutedText));
  if (ImGui::Selectable(name.c_str(), false, ImGuiSelectableFlags_SpanAllColumns))
    chooseFocus(context, at.point.level);
  tooltip(context, at.hover);
  for (const std::string& text :
       {toText(at.point.bytes), toText(at.point.intensity),
        at.bound ? std::string("not timed")
                 : toText(*at.flopPerSecond, Unit::flopPerSecond) + ", " + at.caches,
        at.attainable ? toText(*at.attainable, Unit::flopPerSecond) : std::string()}) {
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(text.c_str());
  }
  ImGui::TableNextColumn();
  if (wrap)
    wrapped(at.words);
  else
    clipped(at.words, ImGui::GetContentRegionAvail().x);
  ImGui::PopStyleColor();
}

void drawTable(const Context& context, const RooflineView& view, bool wrap) {
  const float em = context.fonts.smallPixels;
  if (!ImGui::BeginTable("levels", static_cast<int>(kRoofColumns.size()) + 1)) return;
  for (const RoofColumn& column : kRoofColumns)
    ImGui::TableSetupColumn(column.name, ImGuiTableColumnFlags_WidthFixed, column.em * em);
  ImGui::TableSetupColumn("words", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableNextRow();
  for (const RoofColumn& column : kRoofColumns) {
    ImGui::TableNextColumn();
    muted(context, column.name);
  }
  ImGui::TableNextColumn();
  for (const RoofPoint* at : rowsOf(view)) drawRow(context, *at, em, wrap);
  ImGui::EndTable();
}

}  // namespace

std::vector<LegendMark> rooflineMarks(const Context& context) {
  const RooflineView& view = context.snapshot.view<RooflineView>();
  if (view.roofs.empty() || !view.peakFlopPerSecond) return {};
  const gfx::Palette& p = context.palette;
  const UiState& ui = context.ui;
  const std::optional<Level> focus = focusOf(context);
  std::vector<LegendMark> marks{
      {"a roof: the maximum FLOP/s that bandwidth and arithmetic allow", ruled(p.text, 2.5F)}};
  bool hasBound = false, hasCompanion = false;
  for (const RoofPoint& at : view.points) {
    if (!at.flopPerSecond || (!ui.showsAllLevels() && at.point.level != focus)) continue;
    hasBound = hasBound || at.bound || at.point.hollow;
    hasCompanion = hasCompanion || at.companion;
    if (!at.companion)
      marks.push_back({"this kernel's bytes: " + nameOf(at.point),
                       plotMark(markOf(at.point.level), at.point.level == focus ? p.accent : p.text,
                                at.bound || at.point.hollow)});
  }
  if (hasBound) marks.push_back({"hollow: computed", plotMark(Mark::circle, p.text, true)});
  const auto atFocus = [&](const model::RoofTrace& at) { return at.level == focus; };
  if (std::ranges::any_of(view.trail, atFocus))
    marks.push_back(
        {"an earlier choice of this kernel", plotMark(Mark::circle, p.mutedText, false)});
  if (std::ranges::any_of(view.pinned, atFocus))
    marks.push_back(
        {"a pinned run", plotMark(focus ? markOf(*focus) : Mark::circle, p.category(0), false)});
  if (!ui.roofOthers) return marks;
  if (hasCompanion)
    marks.push_back({"the compared kernel",
                     plotMark(focus ? markOf(*focus) : Mark::circle, p.category(2), true)});
  if (std::ranges::any_of(view.rungs, atFocus))
    marks.push_back(
        {"a kernel of the ladder, with its number", plotMark(Mark::square, p.text, false)});
  if (!view.marks.empty()) marks.push_back({"a library's speed (dashed)", ruled(p.text, 1)});
  return marks;
}

void drawRoofline(const Context& context, float height) {
  const RooflineView& view = context.snapshot.view<RooflineView>();
  if (view.roofs.empty() || !view.peakFlopPerSecond) {
    hint(context, context.snapshot.device.empty()
                      ? "Waiting for the worker."
                      : "No roofs yet. They are measured on a GPU, or read from assets/devices.");
    return;
  }
  const std::string verdict = verdictOf(context);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, em = context.fonts.smallPixels;
  const bool large = width >= 44 * em && height >= 24 * em;
  const bool table = large && context.ui.showsAllLevels() && !rowsOf(view).empty();
  const std::vector<std::string> notes = notesOf(context, table);
  const std::vector<Choice> choices =
      context.ui.readOnly ? std::vector<Choice>() : choicesOf(context, view);
  float below = heightOf({verdict}, width) + 0.5F * em;
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  below += heightOf(notes, width);
  const int lines = placeChoices(context, choices, width, [](const Choice&, bool) {});
  below += static_cast<float>(lines) * ImGui::GetFrameHeightWithSpacing();
  constexpr float kLowPlot = 20;  // em
  const bool wrap = height - below - tableHeight(view, width, em, true) >= kLowPlot * em;
  if (table) below += tableHeight(view, width, em, wrap);
  const float plotHeight = std::max(height - below, 11 * em);
  drawRooflinePlot(context, at, {at.x + width, at.y + plotHeight}, large);
  ImGui::Dummy({width, plotHeight});
  // In a panel, scrolling may hide the buttons but not the sentence.
  if (large) drawChoices(context, choices, width);
  if (table) drawTable(context, view, wrap);
  ImGui::PopFont();
  if (!verdict.empty()) wrapped(verdict);
  if (!large) {
    compat::pushFont(context.fonts.small, context.fonts.smallPixels);
    drawChoices(context, choices, width);
    ImGui::PopFont();
  }
  for (const std::string& text : notes) hint(context, text);
}

}  // namespace tilestep::features
