// SPDX-License-Identifier: Apache-2.0
// Twins of threads, source and PTX.
#include <algorithm>
#include <sstream>

#include "model/export/table_parts.h"
#include "model/text/step_text.h"

namespace tilestep::model {
namespace {

const TracedStep* stepOf(const Snapshot& now, bool companion) {
  return companion && now.companion ? now.companion.get() : now.main.get();
}

}  // namespace

TableExport phasesTable(const Snapshot& now, bool companion) {
  TableExport twin;
  const TracedStep* step = stepOf(now, companion);
  const bool main = step == now.main.get();
  const auto& work = main ? now.mainWork : now.companionWork;
  auto table = main ? now.mainTable : now.companionTable;
  if (!table && work) table = phaseTableOf(*work);
  if (!table) return twin;
  twin.title = "Execution phases of " + table->title + ", from its trace";
  twin.columns = {"thread x", "thread y", "warp", "phase"};
  for (const std::string& operand : table->operands) {
    twin.columns.push_back("load of " + operand);
    twin.columns.push_back("slot of " + operand);
  }
  twin.columns.insert(twin.columns.end(), {"sum gains", "sum after"});
  for (const PhaseTable::Row& row : table->rows)
    for (size_t i = 0; i < row.phases.size(); ++i) {
      std::vector<std::string> cells{std::to_string(row.at.x), std::to_string(row.at.y),
                                     std::to_string(row.warp), std::to_string(table->phases[i])};
      for (const PhaseTable::Load& load : row.phases[i].loads)
        cells.insert(cells.end(), {load.from, load.to});
      cells.insert(cells.end(), {joined(row.phases[i].gain), row.phases[i].sum});
      add(twin, std::move(cells));
    }
  return twin;
}

TableExport threadTable(const Snapshot& now, bool companion) {
  TableExport twin;
  const TracedStep* step = stepOf(now, companion);
  if (step == nullptr) return twin;
  const auto& view = step == now.main.get() ? now.mainThread : now.companionThread;
  auto story = step == now.main.get() ? now.mainStory : now.companionStory;
  const auto& work = step == now.main.get() ? now.mainWork : now.companionWork;
  if (!story && work) story = std::make_shared<const ThreadStory>(*work, 0);
  if (!story || story->side() != step->side) return twin;
  const auto told = view ? view : story->viewAt(*step);
  twin.title = "Thread " + told->name + " of " + step->side->shortName +
               (told->makes.empty() ? "" : ", which makes " + told->makes) +
               (told->reads.empty() ? "" : " from " + told->reads) + ": all of its events";
  twin.columns = {"event", "epoch", "line", "does"};
  const trace::Recording& recording = step->side->replay->recording();
  for (const uint32_t event : story->events()) {
    const trace::TraceEvent at = recording.event(event);
    add(twin,
        {std::to_string(event), std::to_string(at.epoch), std::to_string(step->side->lineOf(at)),
         doingText(*step->side, event, story->thread())});
  }
  return twin;
}

TableExport sourceTable(const Snapshot& now) {
  TableExport twin;
  if (!now.main) return twin;
  twin.title = now.main->side->result->source +
               "; counts: warp instructions of the traced block that touch memory, add to a sum or "
               "wait";
  twin.columns = {"line", "count", "text", "remark"};
  std::istringstream text(now.main->side->sourceText);
  std::string line;
  for (uint32_t number = 1; std::getline(text, line); ++number) {
    std::string count, remark;
    if (now.counts)
      if (const auto at = now.counts->byLine.find(number); at != now.counts->byLine.end())
        count = std::to_string(at->second);
    if (now.notes)
      for (const LineNote& note : *now.notes)
        if (note.line == number) remark += (remark.empty() ? "" : "; ") + note.text;
    add(twin, {std::to_string(number), std::move(count), line, std::move(remark)});
  }
  return twin;
}

TableExport ptxTable(const Snapshot& now) {
  TableExport twin;
  if (!now.main || !now.ptx) return twin;
  twin.title = "PTX of " + now.main->side->result->source +
               "; counts: warp instructions of the traced block that touch memory, add to a sum or "
               "wait";
  twin.columns = {"line of the source", "count", "PTX", "in this step"};
  for (const PtxView::Line& line : now.ptx->lines) {
    std::string count;
    bool runs = false;
    if (line.instruction != PtxView::kNone) {
      if (now.counts)
        if (const auto at = now.counts->byInstruction.find(line.instruction);
            at != now.counts->byInstruction.end())
          count = std::to_string(at->second);
      runs = now.instructions && std::ranges::binary_search(*now.instructions, line.instruction);
    }
    add(twin, {line.source > 0 ? std::to_string(line.source) : "", std::move(count), line.text,
               runs ? "yes" : ""});
  }
  return twin;
}

}  // namespace tilestep::model
