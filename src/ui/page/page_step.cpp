// SPDX-License-Identifier: Apache-2.0
#include "ui/page/page_step.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "model/export/table_parts.h"
#include "model/text/step_summary.h"
#include "model/text/traffic.h"
#include "ui/kit/parts.h"

namespace tilestep::ui {
namespace {

using model::PageStep;
using model::Snapshot;
using model::Table;

constexpr size_t kMostRows = 40, kMostThreads = 32;
constexpr size_t kMostThreadText = 3000;  ///< Bytes.
constexpr uint32_t kLinesAround = 2;

/// The id of the table with the same content as the stage; empty for the scene.
std::string_view tableOfStage(const UiState& ui, const Snapshot& now) {
  if (ui.stage == Stage::sums && now.shown.sumLadder) return "sum_ladder";
  return ui.stage == Stage::scene ? std::string_view() : model::tableOf(ui.stage);
}

Table firstRows(Table table, size_t most) {
  table.cut |= table.rows.size() > most;
  table.rows.resize(std::min(table.rows.size(), most));
  return table;
}

/// Rounds to four significant digits. Saved tables keep all digits.
std::string rounded(const std::string& cell) {
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  const bool number = !cell.empty() && *end == '\0' && cell.find('.') != std::string::npos;
  if (!number) return cell;
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

}  // namespace

Table tableToRead(std::string_view id, const Snapshot& now) {
  Table table = firstRows(tableOf(id, now), kMostRows);
  for (std::vector<std::string>& row : table.rows)
    for (std::string& cell : row) cell = rounded(cell);
  return table;
}

std::vector<std::string> pageLinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t from = 0; from < text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    lines.push_back(text.substr(from, end - from));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    from = end + 1;
  }
  return lines;
}

namespace {

Table threadsOf(const Snapshot& now) {
  Table table{"What each thread does", {"thread", "does"}, {}, false};
  if (!now.mainLines) return table;
  size_t length = 0;
  for (size_t i = 0; i < now.mainLines->size(); ++i) {
    const model::ThreadLine& line = (*now.mainLines)[i];
    length += line.text.size();
    table.cut =
        table.rows.size() >= kMostThreads || (length > kMostThreadText && !table.rows.empty());
    if (table.cut) break;
    table.rows.push_back({line.name, line.text});
  }
  return table;
}

/// Empty while a question is open, because remarks on barriers may give its answer away.
std::string noteOf(const Snapshot& now, uint32_t line, bool asks) {
  if (!now.notes) return {};
  const auto note = std::ranges::find(*now.notes, line, &model::LineNote::line);
  const bool told =
      note != now.notes->end() && (!asks || note->kind == model::LineNote::Kind::removed);
  return told ? note->text : "";
}

/// The source lines that the step executes or that lost a barrier, with surrounding lines.
model::PageSource sourceOf(const Snapshot& now,
                           const std::optional<model::PageQuestion>& question) {
  const model::TracedKernel& side = *now.main->side;
  model::PageSource source{side.kernel + ".cu", {}};
  const std::vector<std::string> lines = pageLinesOf(side.sourceText);
  const std::vector<uint32_t>& running = now.main->step.lines;
  const bool asks = question.has_value();
  const std::vector<std::string> hidden = asks ? question->hidden : std::vector<std::string>();
  std::vector<bool> wanted(lines.size() + 1);
  const auto want = [&](uint32_t line) {
    for (uint32_t i = line - std::min(line - 1, kLinesAround); i <= line + kLinesAround; ++i)
      if (i < wanted.size()) wanted[i] = true;
  };
  for (const uint32_t line : running)
    if (line > 0) want(line);
  if (side.removedLine > 0) want(side.removedLine);
  uint32_t last = 0;
  for (uint32_t line = 1; line < wanted.size(); ++line) {
    if (!wanted[line]) continue;
    if (last > 0 && line > last + 1) source.lines.push_back({});
    source.lines.push_back({line, lines[line - 1], std::ranges::binary_search(running, line),
                            noteOf(now, line, asks), hidden});
    last = line;
  }
  return source;
}

void addScene(const Snapshot& now, const UiState& ui, PageStep& step) {
  step.sentence = now.sentence;
  if (now.shown.lesson)
    step.place = now.position.text;  // Without a lesson, the position is the title.
  step.remark = now.stepText;
  if (now.shown.phaseTable) step.instead = tableToRead("phases", now);
  step.sources.push_back(sourceOf(now, step.question));
  step.tables.push_back(threadsOf(now));
  if (ui.threadView) step.tables.push_back(tableToRead("thread", now));
}

/// "Phase 0, first of 2 · epoch 0"
std::string titleOf(const Snapshot& now) {
  std::string title = now.position.text.substr(0, now.position.text.find(" · line"));
  if (!title.empty())
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return title;
}

std::string cellOf(const Table& table, const std::vector<std::string>& row,
                   std::string_view column) {
  const auto at = std::ranges::find(table.columns, column);
  return at == table.columns.end() ? std::string() : row[size_t(at - table.columns.begin())];
}

std::string descriptionOf(const Snapshot& now, const model::TracedStep& step) {
  const Table table = tableOf("scene", now);
  std::string text;
  for (const std::vector<std::string>& row : table.rows) {
    if (cellOf(table, row, "kernel") != model::calledIn(*step.side)) continue;
    text += (text.empty() ? "" : " ") + cellOf(table, row, "matrix") + " has " +
            cellOf(table, row, "rows") + " rows and " + cellOf(table, row, "columns") +
            " columns; the block touches " + cellOf(table, row, "block touches") + ", this step " +
            cellOf(table, row, "step touches") + ".";
  }
  return text;
}

}  // namespace

model::Page emptyPageOf(const Snapshot& now) {
  model::Page page;
  if (now.shown.lesson) {
    page.title = now.shown.lessonTitle;
  } else if (now.main) {
    page.title = now.main->side->shortName;
    if (now.companion) page.title += " beside " + now.companion->side->shortName;
    page.title += ", " + model::sizesText(now.main->side->result->plan.sizes) + ", step by step";
  }
  return page;
}

PageStep pageStepOf(const Snapshot& now, const UiState& ui) {
  PageStep step;
  step.title = titleOf(now);
  describeStep(now, ui, step);
  if (ui.stage == Stage::scene && now.main) addScene(now, ui, step);
  if (ui.stage != Stage::scene) step.tables.push_back(tableToRead(tableOfStage(ui, now), now));
  return step;
}

std::vector<SceneWords> sceneWordsOf(const Snapshot& now) {
  std::vector<SceneWords> words;
  for (const auto& step : {now.companion, now.main}) {
    if (!step) continue;
    const std::string place = model::positionOf(*step);
    words.push_back({step->side->shortName + ", " + place.substr(0, place.find(" · line")),
                     descriptionOf(now, *step)});
  }
  return words;
}

}  // namespace tilestep::ui
