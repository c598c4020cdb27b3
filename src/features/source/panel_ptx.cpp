// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "features/source/panel.h"
#include "features/source/panel_counts.h"
#include "features/source/view.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"
#include "ui/shell/layout.h"

namespace tilestep::features {
namespace {

const SourceView& viewOf(const Context& context) {
  return context.snapshot.view<SourceView>();
}

/// Scrolls to the first instruction of a new step; otherwise keeps the scroll position.
void follow(const SourceView& view, float lineHeight) {
  if (!view.stepCounts || view.stepCounts->byInstruction.empty()) return;
  const auto& runs = view.stepCounts->byInstruction;
  const uint32_t first = runs.begin()->first, last = runs.rbegin()->first;
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("step");
  const int key = static_cast<int>(first) * 4096 + static_cast<int>(last);
  if (kept.GetInt(id, -1) == key) return;
  kept.SetInt(id, key);
  const auto at = std::ranges::find(view.ptx->lines, first, &PtxView::Line::instruction);
  const float top = static_cast<float>(at - view.ptx->lines.begin()) * lineHeight;
  const float from = ImGui::GetScrollY(), height = ImGui::GetWindowHeight();
  if (top < from || top + lineHeight > from + height)
    ImGui::SetScrollY(std::max(0.0F, top - 0.4F * height));
}

void takeMouse(const Context& context, const PtxView::Line& line, const RunsOf& runs, ImVec2 at,
               float height) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || mouse.y < at.y || mouse.y >= at.y + height) return;
  context.ui.lineUnder = line.source;
  if (line.instruction == PtxView::kNone) return;
  const std::string from = line.source > 0
                               ? "From line " + std::to_string(line.source) + " of the source. "
                               : "The compiler assigned no line to it. ";
  showTooltip(
      context,
      from + (runs.all == 0 ? "Not in the trace, which contains only accesses, sums and barriers."
                            : runsHover(runs, false, context.snapshot.position.recorder)));
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  if (line.source > 0) chooseLine(context.ui, line.source);
  context.session.apply(
      model::command("source.instruction", line.instruction, !ImGui::GetIO().KeyShift));
}

void drawLine(const Context& context, const PtxView::Line& line, float lineHeight, float margin) {
  const gfx::Palette& p = context.palette;
  const float em = compat::sizeOf(context.fonts.mono);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, ImGui::GetWindowWidth());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const RunsOf runs = runsOfInstruction(viewOf(context), line.instruction);
  const bool sameLine = line.source > 0 && (line.source == context.ui.lineHovered ||
                                            line.source == context.ui.lineChosen);
  if (sameLine) list.AddRectFilled(at, {at.x + width, at.y + lineHeight}, colour(p.text, 0.09F));
  if (runs.now > 0) {
    list.AddRectFilled(at, {at.x + width, at.y + lineHeight},
                       colour(p.accent, p.dark ? 0.16F : 0.22F));
    list.AddRectFilled(at, {at.x + 0.22F * em, at.y + lineHeight}, colour(p.accent));
  }
  const float y = std::round(at.y + 0.17F * em);
  if (line.source > 0) {
    const std::string number = std::to_string(line.source);
    const float left = std::round(at.x + 2.6F * em - ImGui::CalcTextSize(number.c_str()).x);
    list.AddText({left, y}, colour(runs.now > 0 ? p.text : p.mutedText, 0.8F), number.c_str());
  }
  const float start = std::round(at.x + 3.1F * em + margin);
  const float end = start + ImGui::CalcTextSize(line.text.c_str()).x;
  const bool instruction = line.instruction != PtxView::kNone;
  list.AddText({start, y}, colour(instruction ? p.text : p.mutedText), line.text.c_str());
  drawInMargin(context, runsText(runs, false), start, y);
  ImGui::Dummy({end - at.x + em, lineHeight});
  takeMouse(context, line, runs, at, lineHeight);
}

}  // namespace

void drawPtx(const Context& context) {
  const SourceView& view = viewOf(context);
  if (!view.ptx) {
    hint(context, !context.snapshot.main    ? "The PTX appears with the first trace."
                  : view.ptxFailure.empty() ? "Loading the PTX…"
                                            : "The PTX cannot be shown: " + view.ptxFailure);
    return;
  }
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  compat::beginChild("ptx", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  const float lineHeight = std::floor(1.35F * compat::sizeOf(context.fonts.mono));
  const float margin = marginWidth(context);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(view.ptx->lines.size()), lineHeight);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawLine(context, view.ptx->lines[static_cast<size_t>(i)], lineHeight, margin);
  follow(view, lineHeight);
  noteCodeClick(context);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace tilestep::features
