// SPDX-License-Identifier: Apache-2.0
// The textbook's table of execution phases: a row per thread, a column per phase.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "features/phases/phase_table.h"
#include "features/phases/view.h"
#include "features/threads/view.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/widgets.h"
#include "ui/shell/saving/save_dialog.h"

namespace tilestep::features {
namespace {

struct PhaseColumns {
  std::vector<float> width;  ///< One per operand, and one for the sum if there are sums.
  float name = 0;
  size_t lines = 1;  ///< Lines of text per row.
  [[nodiscard]] float phase() const {
    float sum = 0;
    for (const float w : width) sum += w;
    return sum;
  }
  [[nodiscard]] float total(size_t phases) const {
    return name + phase() * static_cast<float>(phases);
  }
};

std::string toText(const PhaseTable::Load& load) {
  return load.to.empty() ? "" : "→ " + load.to;
}

std::vector<std::string> gainLines(const PhaseTable::Cell& cell) {
  std::vector<std::string> lines = cell.gain;
  if (!cell.sum.empty()) lines.push_back("Pvalue " + cell.sum);
  return lines;
}

PhaseColumns measured(const PhaseTable& table, ImFont* font) {
  const float size = compat::sizeOf(font);
  const size_t operands = table.operands.size();
  PhaseColumns columns;
  columns.width.assign(operands + (table.sums ? 1 : 0), 0);
  const auto widthOf = [&](const std::string& text) {
    return font->CalcTextSizeA(size, 1e9F, 0, text.c_str()).x;
  };
  const auto widen = [&](float& width, const std::string& text) {
    width = std::max(width, widthOf(text) + 0.9F * size);
  };
  columns.name = widthOf("thread") + size;
  for (const PhaseTable::Row& row : table.rows) {
    widen(columns.name, row.name);
    for (const PhaseTable::Cell& cell : row.phases) {
      for (size_t i = 0; i < operands; ++i) {
        widen(columns.width[i], cell.loads[i].from);
        widen(columns.width[i], toText(cell.loads[i]));
        if (!cell.loads[i].to.empty()) columns.lines = std::max<size_t>(columns.lines, 2);
      }
      const std::vector<std::string> gain = gainLines(cell);
      for (const std::string& line : gain) widen(columns.width.back(), line);
      columns.lines = std::max(columns.lines, gain.size());
    }
  }
  for (size_t i = 0; i < operands; ++i) widen(columns.width[i], "load of " + table.operands[i]);
  if (table.sums) widen(columns.width.back(), "Pvalue gains");
  return columns;
}

/// Draws one table at one font size; lives for one frame.
class Drawer {
 public:
  Drawer(const Context& context, const PhaseTable& table, const PhaseColumns& columns, ImFont* font,
         const model::TracedStep& step, const ThreadView* thread)
      : context_(context),
        p_(context.palette),
        table_(table),
        columns_(columns),
        step_(step),
        thread_(thread),
        font_(font),
        size_(compat::sizeOf(font)),
        lineHeight_(std::floor(1.3F * size_)),
        rowHeight_(lineHeight_ * static_cast<float>(columns.lines) + 0.8F * size_),
        headHeight_(2 * lineHeight_ + 0.9F * size_) {}

  void draw() {
    const float rows = rowHeight_ * static_cast<float>(table_.rows.size());
    compat::beginChild("phases", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    list_ = ImGui::GetWindowDrawList();
    const ImVec2 window = ImGui::GetWindowPos();
    const float top = window.y, height = ImGui::GetWindowHeight();
    for (size_t i = 0; i < table_.rows.size(); ++i) {
      const float y = origin.y + headHeight_ + rowHeight_ * static_cast<float>(i);
      if (y + rowHeight_ < top + headHeight_ || y > top + height) continue;
      drawRow(table_.rows[i], {origin.x, y});
    }
    drawHead({origin.x, std::max(origin.y, top)});
    ImGui::Dummy({total(), headHeight_ + rows});
    follow();
    takeClick(origin);
    ImGui::EndChild();
  }

 private:
  [[nodiscard]] float total() const { return columns_.total(table_.phases.size()); }

  void text(ImVec2 at, const std::string& what, ImU32 color) {
    list_->AddText(font_, size_, {std::round(at.x), std::round(at.y)}, color, what.c_str());
  }

  /// -1 before the present step, 0 in it, 1 after it.
  [[nodiscard]] int when(uint32_t phase, bool load) const {
    const std::optional<uint32_t> now = step_.step.phase;
    if (!now) return step_.step.kind == trace::StepKind::writeBack ? -1 : 1;
    if (phase != *now) return phase < *now ? -1 : 1;
    if (step_.step.kind == trace::StepKind::load) return load ? 0 : 1;
    if (step_.step.kind == trace::StepKind::compute) return load ? -1 : 0;
    return 0;
  }

  void lines(ImVec2 at, float width, const std::vector<std::string>& what, int when) {
    if (when == 0 && !what.empty())
      list_->AddRectFilled({at.x, at.y + 1}, {at.x + width - 0.3F * size_, at.y + rowHeight_ - 1},
                           colour(p_.accent, p_.dark ? 0.16F : 0.2F), 0.2F * size_);
    float y = at.y + 0.4F * size_;
    for (const std::string& line : what) {
      text({at.x + 0.3F * size_, y}, line, colour(when > 0 ? p_.mutedText : p_.text));
      y += lineHeight_;
    }
  }

  void drawRow(const PhaseTable::Row& row, ImVec2 at) {
    const bool chosen = thread_ != nullptr && thread_->number == row.thread;
    if (chosen)
      list_->AddRectFilled(at, {at.x + total(), at.y + rowHeight_}, colour(p_.text, 0.07F));
    if (chosen)
      list_->AddRectFilled(at, {at.x + 0.22F * size_, at.y + rowHeight_}, colour(p_.chosen));
    list_->AddLine({at.x, at.y + rowHeight_}, {at.x + total(), at.y + rowHeight_}, colour(p_.line));
    float x = at.x + columns_.name;
    for (size_t i = 0; i < row.phases.size(); ++i) {
      const PhaseTable::Cell& cell = row.phases[i];
      for (size_t operand = 0; operand < table_.operands.size(); ++operand) {
        const PhaseTable::Load& load = cell.loads[operand];
        std::vector<std::string> what;
        if (!load.from.empty()) what.push_back(load.from);
        if (!load.to.empty()) what.push_back(toText(load));
        lines({x, at.y}, columns_.width[operand], what, when(table_.phases[i], true));
        x += columns_.width[operand];
      }
      if (!table_.sums) continue;
      lines({x, at.y}, columns_.width.back(), gainLines(cell), when(table_.phases[i], false));
      x += columns_.width.back();
    }
    const float left = stickNames({at.x, at.y + 1}, rowHeight_ - 2);
    text({left + 0.6F * size_, at.y + 0.4F * size_}, row.name,
         colour(gfx::inkOf(p_.warp(row.warp), p_)));
  }

  /// The left edge of the thread names, which stay visible while the phases scroll.
  float stickNames(ImVec2 at, float height) {
    const float left = std::max(at.x, ImGui::GetWindowPos().x);
    if (left > at.x)
      list_->AddRectFilled({left, at.y}, {left + columns_.name, at.y + height},
                           colour(p_.background));
    return left;
  }

  void drawHead(ImVec2 at) {
    list_->AddRectFilled(at,
                         {at.x + std::max(total(), ImGui::GetWindowWidth()), at.y + headHeight_},
                         colour(p_.background));
    const float second = at.y + lineHeight_ + 0.4F * size_;
    float x = at.x + columns_.name;
    for (const uint32_t phase : table_.phases) {
      const bool now = step_.step.phase == phase;
      const ImU32 color = colour(now ? p_.text : p_.mutedText);
      list_->AddLine({x, at.y + lineHeight_ + 0.2F * size_},
                     {x + columns_.phase() - 0.3F * size_, at.y + lineHeight_ + 0.2F * size_},
                     now ? colour(p_.accent) : colour(p_.strongLine), now ? 2.0F : 1.0F);
      text({x + 0.3F * size_, at.y}, "phase " + std::to_string(phase), color);
      for (size_t i = 0; i < columns_.width.size(); ++i) {
        const bool load = i < table_.operands.size();
        text({x + 0.3F * size_, second}, load ? "load of " + table_.operands[i] : "Pvalue gains",
             color);
        x += columns_.width[i];
      }
    }
    text({stickNames(at, headHeight_) + 0.6F * size_, second}, "thread", colour(p_.mutedText));
    list_->AddLine({at.x, at.y + headHeight_}, {at.x + total(), at.y + headHeight_},
                   colour(p_.strongLine));
  }

  /// Scrolls to the present phase if not all phases fit.
  void follow() {
    if (!step_.step.phase) return;
    const auto at = std::ranges::find(table_.phases, *step_.step.phase) - table_.phases.begin();
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("phase");
    if (kept.GetInt(id, -1) == static_cast<int>(at)) return;
    kept.SetInt(id, static_cast<int>(at));
    const float left = columns_.phase() * static_cast<float>(at);
    const float right = left + columns_.name + columns_.phase();
    if (right > ImGui::GetScrollX() + ImGui::GetWindowWidth() || left < ImGui::GetScrollX())
      ImGui::SetScrollX(right - ImGui::GetWindowWidth());
  }

  /// A click on a row selects its thread and goes to the clicked phase.
  void takeClick(ImVec2 origin) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    const float down = mouse.y - origin.y - headHeight_, across = mouse.x - origin.x;
    if (down < 0 || mouse.y < ImGui::GetWindowPos().y + headHeight_) return;
    const auto row = static_cast<size_t>(down / rowHeight_);
    if (row >= table_.rows.size() || across >= total()) return;
    context_.session.apply(model::command("threads.choose", table_.rows[row].at));
    if (across < columns_.name) return;
    const auto phase = static_cast<size_t>((across - columns_.name) / columns_.phase());
    if (phase < table_.phases.size())
      context_.session.apply(model::command("steps.phase", table_.phases[phase]));
  }

  const Context& context_;
  const gfx::Palette& p_;
  const PhaseTable& table_;
  const PhaseColumns& columns_;
  const model::TracedStep& step_;
  const ThreadView* thread_;
  ImDrawList* list_ = nullptr;
  ImFont* font_;
  float size_, lineHeight_, rowHeight_, headHeight_;
};

void drawBar(const Context& context, const PhaseTable* table) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Execution phases");
  ImGui::PopFont();
  ImGui::SameLine();
  if (table != nullptr) muted(context, table->title);
  sameLineIfRoom("back to the scene", right - context.em);
  if (ImGui::Button("back to the scene"))
    context.session.apply(model::command("phases.table", false));
  tooltip(context, "Shows the matrices and shared tiles (E)");
  sameLineIfRoom("4 × 4 example", right);
  if (ImGui::Button("4 × 4 example")) context.session.apply(model::command("phases.classic"));
  tooltip(context, "The textbook's table: 4 × 4 matrices, tiles of 2 × 2 (X)");
  if (table == nullptr) return;
  sameLineIfRoom("copy", right);
  if (ImGui::Button("copy")) {
    context.ui.save.view = "phases";
    copyView(context.ui, context.session);
  }
  tooltip(context, "Copies the table as text, a line for each thread and phase");
  sameLineIfRoom("save…", right);
  if (ImGui::Button("save…")) {
    toggleSaveDialog(context.ui, context.snapshot);
  }
  tooltip(context, "Saves the table as CSV or text, or a picture of it");
}

/// The table of execution phases (threads by phases), which replaces the scene. Caches the column
/// widths, because computing them reads all cells.
class PhaseTablePanel {
 public:
  void draw(const Context& context);

 private:
  void measure(const std::shared_ptr<const PhaseTable>& table, const Fonts& fonts);

  std::shared_ptr<const PhaseTable> measuredOf_;
  const ImFont* measuredWith_ = nullptr;
  float measuredAt_ = 0;
  PhaseColumns large_, small_;
};

void PhaseTablePanel::measure(const std::shared_ptr<const PhaseTable>& table, const Fonts& fonts) {
  const float size = compat::sizeOf(fonts.mono);
  if (table == measuredOf_ && size == measuredAt_ && fonts.mono == measuredWith_) return;
  measuredOf_ = table;
  measuredAt_ = size;
  measuredWith_ = fonts.mono;
  large_ = measured(*table, fonts.mono);
  small_ = measured(*table, fonts.monoSmall);
}

void PhaseTablePanel::draw(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  const bool companion = context.ui.companionSource && now.companion;
  const auto& table = companion ? now.view<PhasesView>().companion : now.view<PhasesView>().main;
  const auto& step = companion ? now.companion : now.main;
  const auto& thread = companion ? now.view<ThreadsView>().companion : now.view<ThreadsView>().main;
  if (!context.ui.readOnly) drawBar(context, table.get());
  if (!table) {
    hint(context,
         "This kernel has no phases, or too many threads and phases for a table. Choose "
         "smaller sizes, or the 4 × 4 example.");
    return;
  }
  measure(table, context.fonts);
  // Uses the larger of two font sizes if the table then fits.
  const float room = ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ScrollbarSize;
  const bool fits = large_.total(table->phases.size()) <= room;
  Drawer(context, *table, fits ? large_ : small_,
         fits ? context.fonts.mono : context.fonts.monoSmall, *step, thread.get())
      .draw();
}

}  // namespace
}  // namespace tilestep::features

namespace tilestep::features::phases {
namespace {

using nlohmann::json;

json stateOf(const model::Snapshot& now, bool companion) {
  const auto& table = companion ? now.view<PhasesView>().companion : now.view<PhasesView>().main;
  if (!now.view<PhasesView>().wanted || !table) return nullptr;
  return {{"title", table->title}, {"phases", table->phases}, {"threads", table->rows.size()}};
}

class PhasesPanel : public FeaturePanel {
 public:
  [[nodiscard]] PartDrawers parts() const override {
    return {{Part::phaseTable,
             [panel = PhaseTablePanel()](const Context& context) mutable { panel.draw(context); }}};
  }
  [[nodiscard]] bool isMade(std::string_view view, const model::Snapshot& now) const override {
    return view != "phases" || now.view<PhasesView>().main != nullptr;
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {
        {"E", "table of execution phases: threads against phases", KeyGroup::scene, false, U"eE",
         [](char32_t, model::Session& session, UiState&) {
           session.apply(
               model::command("phases.table", !session.snapshot()->view<PhasesView>().wanted));
         }},
        {"X", "the textbook's example: 4 × 4 with tiles of 2 × 2, and its table", KeyGroup::scene,
         false, U"xX", [](char32_t, model::Session& session, UiState&) {
           session.apply(model::command("phases.classic"));
         }}};
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    to["phase_table"] = stateOf(now, ui.companionSource && now.companion);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<PhasesPanel>();
}

}  // namespace tilestep::features::phases
