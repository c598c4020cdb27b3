// SPDX-License-Identifier: Apache-2.0
#include "features/roofline/panel.h"

#include <algorithm>
#include <array>

#include "features/roofline/panel_plot.h"
#include "features/roofline/roofline_view.h"
#include "model/text/stopped_launch.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using metrics::Level;
using model::RoofFocus;
using model::RooflineView;
using model::RoofPoint;

constexpr std::array<Level, metrics::kLevels> kOrder{Level::lanes, Level::l1, Level::l2,
                                                     Level::dram, Level::shared};

const RoofPoint* pointAt(const RooflineView& view, Level level, bool companion) {
  for (const RoofPoint& at : view.points)
    if (at.point.level == level && at.companion == companion && at.flopPerSecond) return &at;
  return nullptr;
}

void chooseFocus(const Context& context, Level level) {
  const auto focus = static_cast<RoofFocus>(static_cast<int>(level) + 1);
  context.ui.roofFocus = context.ui.roofFocus == focus ? RoofFocus::nearest : focus;
}

void drawLevelMark(const Context& context, const RoofPoint& at, float em) {
  const bool focus = at.point.level == focusOf(context);
  const gfx::Palette& p = context.palette;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  drawMark(*ImGui::GetWindowDrawList(), {corner.x + 0.5F * em, corner.y + 0.6F * em},
           markOf(at.point.level), 0.32F * em,
           colour(at.companion ? p.mutedText
                  : focus      ? p.accent
                               : p.text),
           at.point.hollow || at.bound, 1.5F);
  ImGui::Dummy({em, em});
  ImGui::SameLine(0, 0.3F * em);
}

/// The levels' marks and names in one or more lines. A click highlights a level.
void drawLegend(const Context& context, const RooflineView& view) {
  const float em = context.fonts.smallPixels;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const Level level : kOrder) {
    const RoofPoint* at = pointAt(view, level, false);
    if (at == nullptr) continue;
    const std::string name = nameOf(at->point);
    const float width = ImGui::CalcTextSize(name.c_str()).x + 1.3F * em;
    if (!first && ImGui::GetItemRectMax().x + em + width <= right) ImGui::SameLine(0, em);
    first = false;
    drawLevelMark(context, *at, em);
    muted(context, name);
    if (ImGui::IsItemClicked()) chooseFocus(context, level);
    tooltip(context, at->hover);
  }
}

/// The origin of the roofs and of the points. Next to the scene, the heading gives it.
std::string originOf(const model::Snapshot& now) {
  const RooflineView& view = now.view<model::RooflineView>();
  std::string text = "Roofs of " + view.device + ", " + view.origin + ".";
  if (view.points.empty() || !now.figuresMain) return text;
  text += " Points: " + view.of + ", ";
  const bool timed = now.figuresMain->measurement && !now.choice.whatIf;
  return text +
         (timed ? "timed on " + model::deviceText(now.figuresMain->device)
                : std::string("counted, not timed here")) +
         ".";
}

/// Without the key that a picture on paper has no use for.
std::string withoutKey(std::string text) {
  constexpr std::string_view kKey = " (U: the next level)";
  const size_t at = text.find(kKey);
  return at == std::string::npos ? text : text.erase(at, kKey.size());
}

/// The sentences below the plot.
std::vector<std::string> sentencesOf(const Context& context, bool large) {
  const model::Snapshot& now = context.snapshot;
  const RooflineView& view = now.view<model::RooflineView>();
  std::vector<std::string> said;
  if (context.ui.stage == Stage::roofline) said.push_back(originOf(now));
  const std::string out =
      view.broughtOut(focusOf(context), context.ui.roofFocus != RoofFocus::nearest);
  if (!view.verdict.empty()) said.push_back(view.verdict);
  if (!out.empty() && !view.points.empty())
    said.push_back(context.ui.readOnly ? withoutKey(out) : out);
  if (large && !view.published.empty()) said.push_back(view.published);
  const bool trail = std::ranges::any_of(
      view.trail, [&](const model::RoofTrace& at) { return at.level == focusOf(context); });
  if (large && trail)
    said.push_back("Small grey circles: earlier choices of this kernel, newest last.");
  const bool lanes = large || focusOf(context) == Level::lanes;
  for (const RoofPoint& at : view.points)
    if (!at.why.empty() && (lanes || !at.companion)) said.push_back(at.why);
  if (now.figuresOfBlock)
    said.push_back("No points: the whole grid was not run at this size. C counts it.");
  else if (const std::string why = model::whyNotCounted(now.figuresMain.get()); !why.empty())
    said.push_back(why);
  else if (view.points.empty() && now.figuresMain)
    said.push_back(now.figuresMain->counters
                       ? "No points: this kernel does no floating-point work that is counted."
                       : "No points: nothing was counted at these sizes.");
  else if (!view.measured || !now.measures)
    said.push_back("Hollow: bounds, computed." +
                   (view.of.empty() || context.ui.stage == Stage::roofline
                        ? ""
                        : " Points: " + view.of + "."));
  const auto mixes = [](const RoofPoint& at) {
    return !at.companion && at.point.coldBytes && at.point.performance && !at.point.coldPerformance;
  };
  if (large && std::ranges::any_of(view.points, mixes))
    said.push_back("L2 and DRAM bytes are those of cold caches, the time is that of warm ones.");
  return said;
}

float heightOf(const std::vector<std::string>& sentences, float width) {
  float height = 0;
  for (const std::string& text : sentences)
    height += wrappedHeight(text, width) + ImGui::GetStyle().ItemSpacing.y;
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
    if (const RoofPoint* at = pointAt(view, level, false)) rows.push_back(at);
  return rows;
}

/// If `wrap` is false, the words are cut to one line.
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
  drawLevelMark(context, at, em);
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
  const bool nearest = context.ui.roofFocus == RoofFocus::nearest;
  const std::string key = context.ui.readOnly ? "" : " (U: next)";
  clipped((nearest ? "highlighted: nearest" : "highlighted: chosen") + key,
          ImGui::GetContentRegionAvail().x);
  for (const RoofPoint* at : rowsOf(view)) drawRow(context, *at, em, wrap);
  ImGui::EndTable();
}

}  // namespace

void drawRoofline(const Context& context, float height) {
  const RooflineView& view = context.snapshot.view<model::RooflineView>();
  if (view.roofs.empty() || !view.peakFlopPerSecond) {
    hint(context, context.snapshot.device.empty()
                      ? "Waiting for the worker."
                      : "No roofs yet: they are measured on a GPU, or read from assets/devices.");
    return;
  }
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, em = context.fonts.smallPixels;
  const bool large = width >= 44 * em && height >= 30 * em;
  const std::vector<std::string> sentences = sentencesOf(context, large);
  const bool table = large && !rowsOf(view).empty();
  const float said = heightOf(sentences, width) + 0.8F * em;
  constexpr float kLowPlot = 20;  // em
  const bool wrap = height - said - tableHeight(view, width, em, true) >= kLowPlot * em;
  const float below = said + (table ? tableHeight(view, width, em, wrap) : 1.7F * em);
  const float plotHeight = std::max(height - below, 11 * em);
  drawRooflinePlot(context, at, {at.x + width, at.y + plotHeight}, large);
  ImGui::Dummy({width, plotHeight});
  table ? drawTable(context, view, wrap) : drawLegend(context, view);
  ImGui::PopFont();
  for (const std::string& text : sentences) hint(context, text);
}

}  // namespace tilestep::ui
