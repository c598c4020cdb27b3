// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/help/glossary.h"

#include <algorithm>
#include <array>

#include "model/text/glossary.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

constexpr float kCell = 0.72F, kPictureWidth = 7;  // em

/// Draws small pictures of cells, arrows and marks, starting at the left edge of the current
/// column.
class Pen {
 public:
  explicit Pen(const Context& context)
      : palette_(context.palette),
        em_(context.em),
        at_(ImGui::GetCursorScreenPos()),
        list_(*ImGui::GetWindowDrawList()) {}

  void cells(std::string_view picture) {
    float x = 0, y = 0;
    for (const char sign : picture) {
      if (sign == '/') {
        x = 0;
        y += kCell;
        continue;
      }
      cell(sign, x, y);
      x += kCell;
      width_ = std::max(width_, x);
    }
    height_ = y + kCell;
  }

  void end() { ImGui::Dummy({std::max(width_, kPictureWidth) * em_, (height_ + 0.4F) * em_}); }

 private:
  [[nodiscard]] ImVec2 place(float x, float y) const {
    return {at_.x + x * em_, at_.y + (y + 0.2F) * em_};
  }
  void cell(char sign, float x, float y) {
    constexpr float kGap = 0.06F;
    const ImVec2 from = place(x + kGap, y + kGap), to = place(x + kCell - kGap, y + kCell - kGap);
    const float middleX = (from.x + to.x) / 2, middleY = (from.y + to.y) / 2;
    const ImU32 now = colour(palette_.accent), other = colour(palette_.category(0));
    switch (sign) {
      case '#':
        list_.AddRectFilled(from, to, now);
        break;
      case 'o':
        list_.AddRectFilled(from, to, other);
        break;
      case '.':
        list_.AddRect(from, to, colour(palette_.strongLine));
        break;
      case 'x':
        list_.AddLine(from, to, colour(palette_.warning), 2);
        list_.AddLine({from.x, to.y}, {to.x, from.y}, colour(palette_.warning), 2);
        break;
      case '>':
        list_.AddTriangleFilled(from, {to.x, middleY}, {from.x, to.y}, colour(palette_.mutedText));
        break;
      case '-':
        list_.AddLine({from.x, middleY}, {to.x, middleY}, colour(palette_.text), 3);
        break;
      case '!':
        list_.AddLine({middleX, from.y}, {middleX, to.y}, colour(palette_.text), 3);
        break;
      default:
        break;
    }
  }

  const gfx::Palette& palette_;
  float em_;
  ImVec2 at_;
  ImDrawList& list_;
  float width_ = 0, height_ = kCell;
};

void drawMarks(const Context& context, const std::vector<LegendMark>& marks) {
  if (marks.empty()) return;
  heading(context, (std::string("Marks: ") + nameOf(context.ui.stage)).c_str());
  if (!ImGui::BeginTable("marks", 2)) return;
  ImGui::TableSetupColumn("mark", ImGuiTableColumnFlags_WidthFixed, kPictureWidth * context.em);
  ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
  for (const LegendMark& mark : marks) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = 2.4F * context.em, height = 1.1F * context.em;
    mark.draw(*ImGui::GetWindowDrawList(), {at.x + 1, at.y + 2}, {at.x + width, at.y + height});
    ImGui::Dummy({kPictureWidth * context.em, 1.4F * context.em});
    ImGui::TableNextColumn();
    wrapped(mark.text);
  }
  ImGui::EndTable();
}

void drawTerms(const Context& context) {
  GlossaryState& state = context.ui.glossary;
  heading(context, "Words");
  if (!ImGui::BeginTable("terms", 2)) return;
  ImGui::TableSetupColumn("picture", ImGuiTableColumnFlags_WidthFixed, kPictureWidth * context.em);
  ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
  for (const model::Term& term : model::glossary()) {
    const bool wanted = state.term == term.name;
    ImGui::TableNextRow();
    if (wanted)
      ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, colour(context.palette.text, 0.08F));
    ImGui::TableNextColumn();
    Pen pen(context);
    pen.cells(term.picture);
    pen.end();
    ImGui::TableNextColumn();
    compat::pushFont(context.fonts.strong, context.fonts.textPixels);
    ImGui::TextUnformatted(term.name.data(), term.name.data() + term.name.size());
    ImGui::PopFont();
    if (wanted && state.scrolls > 0) ImGui::SetScrollHereY(0.3F);
    wrapped(term.text);
  }
  ImGui::EndTable();
  state.scrolls = std::max(0, state.scrolls - 1);
}

}  // namespace

void toggleGlossary(UiState& ui) {
  ui.glossary = {.open = !ui.glossary.open};
}

void drawGlossary(const Context& context, const std::vector<LegendMark>& marks) {
  UiState& ui = context.ui;
  if (!ui.glossary.open) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = context.em, width = std::min(40 * em, 0.96F * screen.x);
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({width, 0.92F * screen.y});
  if (ui.glossary.scrolls == kGlossaryFrames) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {1.2F * em, 0.8F * em});
  ImGui::Begin("##glossary", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
  if (ImGui::Button("Close")) ui.glossary.open = false;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  muted(context, "F7 or Esc");
  compat::beginChild("body", {0, 0}, false, 0);  // The header stays fixed while the body scrolls.
  drawMarks(context, marks);
  ImGui::Dummy({0, 0.4F * em});
  drawTerms(context);
  ImGui::EndChild();
  const bool outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                       !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) &&
                       ui.glossary.scrolls == 0;
  if (outside) ui.glossary.open = false;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tilestep::ui
