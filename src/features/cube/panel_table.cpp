// SPDX-License-Identifier: Apache-2.0
// The table of the phases beside the cube.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "base/figure.h"
#include "features/cube/cube_text.h"
#include "features/cube/panel.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

bool isShown(const CubePhase& row) {
  return row.points > 0 || row.leftLoads > 0 || row.rightLoads > 0;
}

/// The range of phases that fits in the table, including the present phase.
struct Rows {
  size_t first = 0, count = 0;
};
Rows rowsWithRoom(const CubeView& view, size_t room) {
  size_t all = view.cube->phases.size();
  while (all > 1 && !isShown(view.cube->phases[all - 1])) --all;  // Omits the write-back.
  const size_t count = std::min(all, std::max<size_t>(room, 1));
  const size_t now = std::min(view.step->phase.value_or(all - 1), all - 1);
  const size_t first = now > count / 2 ? now - count / 2 : 0;
  return {std::min(first, all - count), count};
}

void drawRow(const Context& context, const std::string& name, const CubePhase& row, bool now) {
  ImGui::TableNextRow();
  const ImU32 color =
      colour(now ? gfx::inkOf(context.palette.accent, context.palette) : context.palette.text);
  const auto reuse = [&](uint64_t loads) { return reuseText(reuseOf(row.points, loads)); };
  for (const std::string& cell :
       {name, grouped(row.points), grouped(row.leftLoads), grouped(row.rightLoads),
        reuse(row.leftLoads), reuse(row.rightLoads)}) {
    ImGui::TableNextColumn();
    rightNumber(context, cell, color);
  }
}

using Cells = std::array<std::string, 6>;

Cells headOf(const ProductShape& shape) {
  return {"phase",
          "multiply-adds",
          shape.leftName + " loads",
          shape.rightName + " loads",
          shape.leftName + " reuse",
          shape.rightName + " reuse"};
}

void drawHead(const Context& context, const Cells& head) {
  for (const std::string& name : head) ImGui::TableSetupColumn(name.c_str());
  ImGui::TableNextRow();
  for (const std::string& name : head) {
    ImGui::TableNextColumn();
    rightNumber(context, name, colour(context.palette.mutedText));
  }
}

}  // namespace

float widthOfCubeTable(const Context& context, const CubeView& view) {
  const CubePhase& all = view.cube->all;  // The totals are the longest numbers.
  const Cells head = headOf(view.cube->shape);
  const Cells numbers{
      "all", grouped(all.points), grouped(all.leftLoads), grouped(all.rightLoads), "0.00", "0.00"};
  float width = context.em;
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  for (size_t i = 0; i < head.size(); ++i)
    width += std::max(ImGui::CalcTextSize(head[i].c_str()).x,
                      ImGui::CalcTextSize(numbers[i].c_str()).x) +
             2 * ImGui::GetStyle().CellPadding.x;
  ImGui::PopFont();
  return width;
}

void drawCubeTable(const Context& context, const CubeView& view, float height) {
  const float line = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  constexpr float kOthers = 6;  // Lines for other rows and the text below the table.
  const auto room = static_cast<size_t>(std::max(height / line - kOthers, 1.0F));
  if (!ImGui::BeginTable("##phases", 6, ImGuiTableFlags_SizingFixedFit)) return;
  drawHead(context, headOf(view.cube->shape));
  const Rows rows = rowsWithRoom(view, room);
  for (size_t i = rows.first; i < rows.first + rows.count; ++i) {
    const CubePhase& phase = view.cube->phases[i];
    drawRow(context, phase.phase ? std::to_string(*phase.phase) : "–", phase,
            view.step->phase == i);
  }
  drawRow(context, "all", view.cube->all, false);
  ImGui::EndTable();
}

}  // namespace tilestep::features
