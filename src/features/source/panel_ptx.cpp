// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "features/source/panel.h"
#include "features/source/view.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::PtxView;

bool isNow(const model::Snapshot& now, const PtxView::Line& line) {
  return line.instruction != PtxView::kNone && now.view<model::SourceView>().instructions &&
         std::ranges::binary_search(*now.view<model::SourceView>().instructions, line.instruction);
}

/// Scrolls to the first instruction of a new step; otherwise leaves the position alone.
void follow(const model::Snapshot& now, float lineHeight) {
  if (!now.view<model::SourceView>().instructions ||
      now.view<model::SourceView>().instructions->empty())
    return;
  ImGuiStorage& kept = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID("step");
  const int key = static_cast<int>(now.view<model::SourceView>().instructions->front()) * 4096 +
                  static_cast<int>(now.view<model::SourceView>().instructions->back());
  if (kept.GetInt(id, -1) == key) return;
  kept.SetInt(id, key);
  const auto first = std::ranges::find(now.view<model::SourceView>().ptx->lines,
                                       now.view<model::SourceView>().instructions->front(),
                                       &PtxView::Line::instruction);
  const float top =
      static_cast<float>(first - now.view<model::SourceView>().ptx->lines.begin()) * lineHeight;
  const float from = ImGui::GetScrollY(), height = ImGui::GetWindowHeight();
  if (top < from || top + lineHeight > from + height)
    ImGui::SetScrollY(std::max(0.0F, top - 0.4F * height));
}

std::string countOf(const model::Snapshot& now, const PtxView::Line& line) {
  if (!now.view<model::SourceView>().counts || line.instruction == PtxView::kNone) return {};
  const auto count = now.view<model::SourceView>().counts->byInstruction.find(line.instruction);
  return count == now.view<model::SourceView>().counts->byInstruction.end()
             ? ""
             : std::to_string(count->second) + "×";
}

void takeMouse(const Context& context, const PtxView::Line& line, const std::string& count,
               ImVec2 at, float height) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!ImGui::IsWindowHovered() || mouse.y < at.y || mouse.y >= at.y + height) return;
  context.ui.lineUnder = line.source;
  if (line.instruction == PtxView::kNone) return;
  const std::string from = line.source > 0
                               ? "From line " + std::to_string(line.source) + " of the source."
                               : "The compiler gave it no line.";
  showTooltip(
      context,
      from + (count.empty() ? " Not in the trace, which holds accesses, sums and barriers."
                            : " Ran " + count +
                                  " in this block, counted from its trace. A click goes to "
                                  "the next step that ran it, with Shift to the one before."));
  if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
  if (line.source > 0) chooseLine(context, line.source);
  context.session.apply(
      model::command("source.instruction", line.instruction, !ImGui::GetIO().KeyShift));
}

void drawLine(const Context& context, const PtxView::Line& line, float lineHeight) {
  const gfx::Palette& p = context.palette;
  const float em = compat::sizeOf(context.fonts.mono);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, ImGui::GetWindowWidth());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool now = isNow(context.snapshot, line);
  const bool sameLine = line.source > 0 && (line.source == context.ui.lineHovered ||
                                            line.source == context.ui.lineChosen);
  if (sameLine) list.AddRectFilled(at, {at.x + width, at.y + lineHeight}, colour(p.text, 0.09F));
  if (now) {
    list.AddRectFilled(at, {at.x + width, at.y + lineHeight},
                       colour(p.accent, p.dark ? 0.16F : 0.22F));
    list.AddRectFilled(at, {at.x + 0.22F * em, at.y + lineHeight}, colour(p.accent));
  }
  const float y = std::round(at.y + 0.17F * em);
  const auto right = [&](const std::string& text, float end, float alpha) {
    const float x = end - ImGui::CalcTextSize(text.c_str()).x;
    list.AddText({std::round(x), y}, colour(now ? p.text : p.mutedText, alpha), text.c_str());
  };
  if (line.source > 0) right(std::to_string(line.source), at.x + 2.6F * em, 0.8F);
  const std::string count = countOf(context.snapshot, line);
  right(count, at.x + 5.8F * em, 1);
  const float start = at.x + 6.3F * em;
  const bool instruction = line.instruction != PtxView::kNone;
  list.AddText({std::round(start), y}, colour(instruction ? p.text : p.mutedText),
               line.text.c_str());
  ImGui::Dummy({start - at.x + ImGui::CalcTextSize(line.text.c_str()).x + em, lineHeight});
  takeMouse(context, line, count, at, lineHeight);
}

}  // namespace

void drawPtx(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  if (!now.view<model::SourceView>().ptx) {
    hint(context, !now.main ? "The PTX appears with the first trace."
                  : now.view<model::SourceView>().ptxFailure.empty()
                      ? "Loading the PTX…"
                      : "The PTX cannot be shown: " + now.view<model::SourceView>().ptxFailure);
    return;
  }
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  compat::beginChild("ptx", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  const float lineHeight = std::floor(1.35F * compat::sizeOf(context.fonts.mono));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(now.view<model::SourceView>().ptx->lines.size()), lineHeight);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
      drawLine(context, now.view<model::SourceView>().ptx->lines[static_cast<size_t>(i)],
               lineHeight);
  follow(now, lineHeight);
  noteCodeClick(context);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

}  // namespace tilestep::ui
