// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/help/glossary.h"

#include <algorithm>
#include <array>

#include "model/text/glossary.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

constexpr float kCell = 0.72F, kPictureWidth = 7;  // em

/// Draws small pictures of cells, arrows and marks from the left edge of the present column.
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

  void frame(float x, float y, float width, float height, gfx::Color color, float pixels) {
    list_.AddRect(place(x, y), place(x + width, y + height), colour(color), 0.15F * em_, 0, pixels);
    grow(x + width, y + height);
  }
  void fill(float x, float y, float width, float height, gfx::Color color) {
    list_.AddRectFilled(place(x, y), place(x + width, y + height), colour(color));
    grow(x + width, y + height);
  }
  void line(float fromX, float fromY, float toX, float toY, gfx::Color color, float pixels) {
    list_.AddLine(place(fromX, fromY), place(toX, toY), colour(color), pixels);
    grow(std::max(fromX, toX), std::max(fromY, toY));
  }
  void arrow(float x, float y, float length, gfx::Color color, float pixels) {
    constexpr float kHead = 0.35F;
    line(x, y, x + length - kHead, y, color, pixels);
    list_.AddTriangleFilled(place(x + length - kHead, y - kHead / 1.6F), place(x + length, y),
                            place(x + length - kHead, y + kHead / 1.6F), colour(color));
    grow(x + length, y + kHead);
  }
  void text(float x, float y, const char* words, gfx::Color color) {
    list_.AddText(place(x, y), colour(color), words);
    grow(x + 1.5F, y + 1);
  }
  /// Takes the room that was drawn on.
  void end() { ImGui::Dummy({std::max(width_, kPictureWidth) * em_, (height_ + 0.4F) * em_}); }

 private:
  [[nodiscard]] ImVec2 place(float x, float y) const {
    return {at_.x + x * em_, at_.y + (y + 0.2F) * em_};
  }
  void grow(float x, float y) {
    width_ = std::max(width_, x);
    height_ = std::max(height_, y);
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

/// A mark of the scene and what it means.
struct Mark {
  void (*draw)(Pen& pen, const gfx::Palette& palette);
  const char* text;
};

constexpr auto kMarks = std::to_array<Mark>({
    {[](Pen& pen, const gfx::Palette& p) { pen.arrow(0, 0.5F, 5, p.category(0), 2); },
     "A load from global memory, or a read of shared memory, from the element to whoever takes it. "
     "Each warp has a colour of its own."},
    {[](Pen& pen, const gfx::Palette& p) {
       pen.fill(0, 0.2F, 4, 0.8F, withAlpha(p.category(0), 0.6F));
       pen.arrow(3.4F, 0.6F, 1.6F, p.category(0), 6);
     },
     "All of them together, where there are too many to draw: as wide as their number."},
    {[](Pen& pen, const gfx::Palette& p) { pen.frame(0, 0, 1.4F, 1.2F, p.accent, 2.5F); },
     "Accessed in this step. In the code: the lines that run now."},
    {[](Pen& pen, const gfx::Palette& p) { pen.frame(0, 0, 1.4F, 1.2F, p.chosen, 2.5F); },
     "What the chosen block needs of M and N, and computes of P. All else is dim."},
    {[](Pen& pen, const gfx::Palette& p) {
       for (int i = 0; i < 4; ++i) {
         const float x = 0.45F * static_cast<float>(i);
         pen.line(x, 0.1F, x + 0.25F, 0.1F, p.text, 2);
         pen.line(x, 1.1F, x + 0.25F, 1.1F, p.text, 2);
       }
     },
     "Belongs to the followed thread. A click on a cell follows its thread."},
    {[](Pen& pen, const gfx::Palette& p) {
       pen.frame(0, 0, 1.4F, 1.2F, p.line, 1);
       for (int i = 1; i < 5; ++i) {
         const float x = 0.28F * static_cast<float>(i);
         pen.line(std::max(0.0F, x - 0.6F), std::min(1.2F, x + 0.6F), x, 0.1F, p.line, 1);
       }
     },
     "Not computed yet."},
    {[](Pen& pen, const gfx::Palette& p) { pen.text(0, 0, "4×", p.accent); },
     "Each of these elements is loaded four times in this step."},
    {[](Pen& pen, const gfx::Palette&) {
       constexpr int kShades = 24;
       for (int i = 0; i < kShades; ++i)
         pen.fill(0.2F * static_cast<float>(i), 0.1F, 0.21F, 0.9F,
                  gfx::valueColor(static_cast<float>(i) / (kShades - 1)));
     },
     "The values of elements, from low to high."},
});

void drawMarks(const Context& context) {
  heading(context, "What the scene shows");
  if (!ImGui::BeginTable("marks", 2)) return;
  ImGui::TableSetupColumn("mark", ImGuiTableColumnFlags_WidthFixed, kPictureWidth * context.em);
  ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
  for (const Mark& mark : kMarks) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    Pen pen(context);
    mark.draw(pen, context.palette);
    pen.end();
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

void drawGlossary(const Context& context) {
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
  drawMarks(context);
  ImGui::Dummy({0, 0.4F * em});
  drawTerms(context);
  const bool outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                       !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) &&
                       ui.glossary.scrolls == 0;
  if (outside) ui.glossary.open = false;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tilestep::ui
