// SPDX-License-Identifier: Apache-2.0
#include "session/twin.h"

#include <algorithm>
#include <array>

#include "lab/sweep_file.h"
#include "session/twin_parts.h"

namespace tilestep::session {
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

Twin twinOf(ViewKind view, const Snapshot& now, bool wholeGrid, bool companion) {
  switch (view) {
    case ViewKind::scene:
      return sceneTwin(now);
    case ViewKind::tiles:
      return tilesTwin(now);
    case ViewKind::threads:
      return threadsTwin(now, companion);
    case ViewKind::warp:
      return warpTwin(now, companion);
    case ViewKind::steps:
      return stepsTwin(now);
    case ViewKind::traffic:
      return trafficTwin(now, wholeGrid);
    case ViewKind::roofline:
      return rooflineTwin(now);
    case ViewKind::history:
      return historyTwin(now);
    case ViewKind::phases:
      return phasesTwin(now, companion);
    case ViewKind::thread:
      return threadTwin(now, companion);
    case ViewKind::source:
      return sourceTwin(now);
    case ViewKind::story:
      return storyTwin(now);
    case ViewKind::gains:
      return gainsTwin(now);
    case ViewKind::ptx:
      return ptxTwin(now);
    case ViewKind::occupancy:
      return occupancyTwin(now);
    case ViewKind::elsewhere:
      return elsewhereTwin(now);
    case ViewKind::timeline:
      return timelineTwin(now);
    case ViewKind::runs:
      return runsTwin(now);
    case ViewKind::live:
      return liveTwin(now);
    case ViewKind::sweep:
      return sweepTwin(now);
  }
  return {};
}

std::string csvOf(const Twin& twin) {
  std::string text = lab::csvLine(twin.columns);
  for (const Row& row : twin.rows) text += lab::csvLine(row);
  return text;
}

std::string textOf(const Twin& twin) {
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

}  // namespace tilestep::session
