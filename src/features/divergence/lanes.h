// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// One recorded warp instruction: the lanes that execute it, and those that are inactive.
struct LaneRow {
  uint32_t event = 0;  ///< Index in the recording.
  uint32_t line = 0;   ///< Source line; 0 if unknown.
  uint32_t mask = 0;   ///< The lanes that execute it.
  size_t path = 0;     ///< Index in LanesPicture::paths.
};

/// A warp's instructions in order of execution.
struct WarpRows {
  uint32_t warp = 0;
  uint32_t threads = 0;  ///< The lanes that have a thread.
  std::vector<LaneRow> rows;
};

/// A set of threads, and the lines that exactly these threads execute. Two lines with the same
/// threads are on one path, regardless of the program's branches.
struct LanePath {
  std::string name;             ///< "A"; "all" for the path of all threads.
  bool all = false;             ///< The path of every thread that executes a line.
  std::vector<uint32_t> masks;  ///< The threads on the path, by warp.
  std::vector<uint32_t> lines;  ///< Ascending, without duplicates.
};

/// Lanes against time: all recorded warp instructions of a block. Derived only from the recorded
/// masks. A trace contains only loads, stores, additions to a sum, atomics and barriers. Immutable.
struct LanesPicture {
  std::vector<WarpRows> warps;  ///< Ascending; only warps that execute something.
  std::vector<LanePath> paths;  ///< In order of first occurrence.
  uint64_t active = 0;          ///< Active lanes, summed over all rows.
  uint64_t slots = 0;           ///< 32 per row.
};
[[nodiscard]] LanesPicture lanesOf(const TracedKernel& kernel);

/// A line of the kernel's source without surrounding blanks; empty if the line does not exist.
[[nodiscard]] std::string sourceLineOf(const TracedKernel& kernel, uint32_t line);

/// The cost of a launch's branches, counted by the interpreter.
struct BranchFigures {
  uint64_t branches = 0, divergent = 0, warpInstructions = 0;
  double efficiency = 1;   ///< Non-divergent branches / all branches; 1 if there are none.
  double activeLanes = 1;  ///< Thread instructions / (32 * warp instructions).
};
/// Absent if the branches were not counted, as on a GPU.
[[nodiscard]] std::optional<BranchFigures> branchFiguresOf(const lab::RunResult& result);

/// Describes the step in a sentence: "Warp 0, line 52: 16 of 32 lanes are on, 16 are off."
[[nodiscard]] std::string lanesSentence(const TracedStep& step);

}  // namespace tilestep::features
