// SPDX-License-Identifier: Apache-2.0
#include "model/export/table_export.h"

#include <algorithm>
#include <array>

#include "lab/sweep_file.h"
#include "model/export/table_parts.h"

namespace tilestep::model {
namespace {

using Row = std::vector<std::string>;

/// Code points; every sign here takes one column.
size_t widthOf(const std::string& text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string lineOf(const Row& cells, const std::vector<size_t>& widths) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i)
    line += cells[i] + std::string(widths[i] - widthOf(cells[i]) + 2, ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

const char* nameOf(ViewKind view) {
  constexpr std::array<const char*, kViews> kNames{"scene",
                                                   "shared tiles and sums",
                                                   "who does what",
                                                   "one warp",
                                                   "steps",
                                                   "traffic",
                                                   "roofline",
                                                   "last changes",
                                                   "execution phases",
                                                   "one thread",
                                                   "source",
                                                   "as the phases pass",
                                                   "what tiling changes",
                                                   "PTX",
                                                   "occupancy",
                                                   "other devices",
                                                   "blocks over time",
                                                   "pinned runs",
                                                   "live",
                                                   "sweep"};
  return kNames[static_cast<size_t>(view)];
}

const char* shortNameOf(ViewKind view) {
  constexpr std::array<const char*, kViews> kNames{
      "scene",     "tiles",   "threads",  "warp",   "steps", "traffic", "roofline",
      "history",   "phases",  "thread",   "source", "story", "gains",   "ptx",
      "occupancy", "devices", "timeline", "runs",   "live",  "sweep"};
  return kNames[static_cast<size_t>(view)];
}

TableExport twinOf(ViewKind view, const Snapshot& now, bool wholeGrid, bool companion) {
  switch (view) {
    case ViewKind::scene:
      return sceneTable(now);
    case ViewKind::tiles:
      return tilesTable(now);
    case ViewKind::threads:
      return threadsTable(now, companion);
    case ViewKind::warp:
      return warpTable(now, companion);
    case ViewKind::steps:
      return stepsTable(now);
    case ViewKind::traffic:
      return trafficTable(now, wholeGrid);
    case ViewKind::roofline:
      return rooflineTable(now);
    case ViewKind::history:
      return historyTable(now);
    case ViewKind::phases:
      return phasesTable(now, companion);
    case ViewKind::thread:
      return threadTable(now, companion);
    case ViewKind::source:
      return sourceTable(now);
    case ViewKind::story:
      return storyTable(now);
    case ViewKind::gains:
      return gainsTable(now);
    case ViewKind::ptx:
      return ptxTable(now);
    case ViewKind::occupancy:
      return occupancyTable(now);
    case ViewKind::elsewhere:
      return elsewhereTable(now);
    case ViewKind::timeline:
      return timelineTable(now);
    case ViewKind::runs:
      return runsTable(now);
    case ViewKind::live:
      return liveTable(now);
    case ViewKind::sweep:
      return sweepTable(now);
  }
  return {};
}

std::string csvOf(const TableExport& twin) {
  std::string text = lab::csvLine(twin.columns);
  for (const Row& row : twin.rows) text += lab::csvLine(row);
  return text;
}

std::string textOf(const TableExport& twin) {
  std::vector<size_t> widths(twin.columns.size());
  const auto widen = [&](const Row& row) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
  };
  widen(twin.columns);
  for (const Row& row : twin.rows) widen(row);
  std::string text = twin.title + "\n\n" + lineOf(twin.columns, widths);
  for (const Row& row : twin.rows) text += lineOf(row, widths);
  if (twin.cut) text += "… and more rows than the " + std::to_string(kMostRows) + " shown.\n";
  return text;
}

}  // namespace tilestep::model
