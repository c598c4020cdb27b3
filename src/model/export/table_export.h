// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/snapshot.h"

namespace tilestep::model {

/// What can be read instead of looked at.
enum class ViewKind : uint8_t {
  scene,      ///< The matrices, and which elements the block and the step touch.
  tiles,      ///< Shared arrays slot by slot, and the threads' sums.
  threads,    ///< Each thread's part in the step.
  warp,       ///< One warp instruction, lane by lane.
  steps,      ///< The epochs of the block.
  traffic,    ///< Counters beside the other kernel's.
  roofline,   ///< Roofs and points.
  history,    ///< What came of the last changes.
  phases,     ///< The execution phases, threads against phases.
  thread,     ///< The chosen thread, event by event.
  source,     ///< The source with counts and remarks.
  story,      ///< Loads as the phases pass.
  gains,      ///< What tiling changes.
  ptx,        ///< The PTX with counts.
  occupancy,  ///< Limits of a multiprocessor, and occupancy along each curve.
  elsewhere,  ///< What if it ran on each of the known devices.
  timeline,   ///< Blocks on multiprocessors over time.
  runs,       ///< The pinned runs, against their base.
  live,       ///< Live mode, launch by launch.
  sweep       ///< The sweep's picture, a row a point.
};
inline constexpr size_t kViews = 20;

/// "shared tiles and sums": as a person reads it.
[[nodiscard]] const char* nameOf(ViewKind view);
/// "tiles": for file names.
[[nodiscard]] const char* shortNameOf(ViewKind view);

/// A view as rows of cells. Numbers are written with all their digits, units stand in the columns'
/// names.
struct TableExport {
  std::string title;  ///< One line that says of what, and where the numbers come from.
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< Each as long as `columns`.
  bool cut = false;                            ///< There were more rows than kMostRows.
};
inline constexpr size_t kMostRows = 200'000;

/// Made from the snapshot alone. No rows: there is nothing to show yet. `wholeGrid`: of the
/// traffic. `companion`: the warp and the threads of the kernel beside it.
[[nodiscard]] TableExport twinOf(ViewKind view, const Snapshot& now, bool wholeGrid,
                                 bool companion);

/// The columns' names and the rows; the title is left out, so that every program reads it.
[[nodiscard]] std::string csvOf(const TableExport& twin);
/// The title, then columns that stand below each other.
[[nodiscard]] std::string textOf(const TableExport& twin);
/// An object: "schema" 1, "view", "title", "columns", and "rows" as objects by column, whose cells
/// are numbers where they read as such, and null where they are empty.
[[nodiscard]] std::string jsonOf(ViewKind view, const TableExport& twin);

}  // namespace tilestep::model
