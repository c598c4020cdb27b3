// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/twin.h"

/// What twins are made of, and those that other files make; twinOf hands them out.
namespace tilestep::session {

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

inline void add(Twin& twin, std::vector<std::string> row) {
  if (twin.rows.size() >= kMostRows)
    twin.cut = true;
  else
    twin.rows.push_back(std::move(row));
}

/// The kernel's file name; where both sides are one kernel, what tells them apart.
[[nodiscard]] inline std::string calledIn(const Side& side) {
  return side.shortName == plainNameOf(side) ? side.kernel : side.shortName;
}

// twin_scene.cpp
[[nodiscard]] Twin sceneTwin(const Snapshot& now);
[[nodiscard]] Twin tilesTwin(const Snapshot& now);
[[nodiscard]] Twin threadsTwin(const Snapshot& now, bool companion);
[[nodiscard]] Twin warpTwin(const Snapshot& now, bool companion);
[[nodiscard]] Twin stepsTwin(const Snapshot& now);

// twin_measures.cpp
[[nodiscard]] Twin trafficTwin(const Snapshot& now, bool wholeGrid);
[[nodiscard]] Twin rooflineTwin(const Snapshot& now);
[[nodiscard]] Twin historyTwin(const Snapshot& now);
[[nodiscard]] Twin storyTwin(const Snapshot& now);
[[nodiscard]] Twin gainsTwin(const Snapshot& now);

// twin_occupancy.cpp
[[nodiscard]] Twin occupancyTwin(const Snapshot& now);
/// What if it ran on each of the known devices.
[[nodiscard]] Twin elsewhereTwin(const Snapshot& now);

// twin_runs.cpp
[[nodiscard]] Twin runsTwin(const Snapshot& now);

// twin_ladder.cpp
/// A row a rung, from the lowest up.
[[nodiscard]] Twin ladderTwin(const Snapshot& now);

// twin_sweep.cpp
[[nodiscard]] Twin sweepTwin(const Snapshot& now);

// twin_timeline.cpp
/// The timeline's blocks, a row a block.
[[nodiscard]] Twin timelineTwin(const Snapshot& now);

// twin_live.cpp
/// A row a launch, and one for each recorded median.
[[nodiscard]] Twin liveTwin(const Snapshot& now);

// twin_threads.cpp
/// The execution phases, a row a thread and phase.
[[nodiscard]] Twin phasesTwin(const Snapshot& now, bool companion);
/// All events of the chosen thread, of the first where none is chosen.
[[nodiscard]] Twin threadTwin(const Snapshot& now, bool companion);
/// The main kernel's source with counts and remarks.
[[nodiscard]] Twin sourceTwin(const Snapshot& now);
/// Its PTX, with counts and the lines it came from; nothing while nobody has looked at it.
[[nodiscard]] Twin ptxTwin(const Snapshot& now);

}  // namespace tilestep::session
