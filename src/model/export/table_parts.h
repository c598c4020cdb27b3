// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/export/table_export.h"

/// What twins are made of, and those that other files make; twinOf hands them out.
namespace tilestep::model {

/// All nine digits that a float has.
[[nodiscard]] inline std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}
[[nodiscard]] inline std::string number(const std::optional<double>& value) {
  return value ? number(*value) : std::string();
}
template <class Integer>
[[nodiscard]] std::string whole(Integer value) {
  return std::to_string(value);
}

inline void add(TableExport& twin, std::vector<std::string> row) {
  if (twin.rows.size() >= kMostRows)
    twin.cut = true;
  else
    twin.rows.push_back(std::move(row));
}

/// The kernel's file name; where both sides are one kernel, what tells them apart.
[[nodiscard]] inline std::string calledIn(const TracedKernel& side) {
  return side.shortName == plainNameOf(side) ? side.kernel : side.shortName;
}

// twin_scene.cpp
[[nodiscard]] TableExport sceneTable(const Snapshot& now);
[[nodiscard]] TableExport tilesTable(const Snapshot& now);
[[nodiscard]] TableExport threadsTable(const Snapshot& now, bool companion);
[[nodiscard]] TableExport warpTable(const Snapshot& now, bool companion);
[[nodiscard]] TableExport stepsTable(const Snapshot& now);

// twin_measures.cpp
[[nodiscard]] TableExport trafficTable(const Snapshot& now, bool wholeGrid);
[[nodiscard]] TableExport rooflineTable(const Snapshot& now);
[[nodiscard]] TableExport historyTable(const Snapshot& now);
[[nodiscard]] TableExport storyTable(const Snapshot& now);
[[nodiscard]] TableExport gainsTable(const Snapshot& now);

// twin_occupancy.cpp
[[nodiscard]] TableExport occupancyTable(const Snapshot& now);
/// What if it ran on each of the known devices.
[[nodiscard]] TableExport elsewhereTable(const Snapshot& now);

// twin_runs.cpp
[[nodiscard]] TableExport runsTable(const Snapshot& now);

// twin_ladder.cpp
/// A row a rung, from the lowest up.
[[nodiscard]] TableExport ladderTable(const Snapshot& now);

// twin_sweep.cpp
[[nodiscard]] TableExport sweepTable(const Snapshot& now);

// twin_timeline.cpp
/// The timeline's blocks, a row a block.
[[nodiscard]] TableExport timelineTable(const Snapshot& now);

// twin_live.cpp
/// A row a launch, and one for each recorded median.
[[nodiscard]] TableExport liveTable(const Snapshot& now);

// twin_threads.cpp
/// The execution phases, a row a thread and phase.
[[nodiscard]] TableExport phasesTable(const Snapshot& now, bool companion);
/// All events of the chosen thread, of the first where none is chosen.
[[nodiscard]] TableExport threadTable(const Snapshot& now, bool companion);
/// The main kernel's source with counts and remarks.
[[nodiscard]] TableExport sourceTable(const Snapshot& now);
/// Its PTX, with counts and the lines it came from; nothing while nobody has looked at it.
[[nodiscard]] TableExport ptxTable(const Snapshot& now);

}  // namespace tilestep::model
