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
  uint32_t event = 0;  ///< In the recording.
  uint32_t line = 0;   ///< Source line; 0: unknown.
  uint32_t mask = 0;   ///< The lanes that execute it.
  size_t path = 0;     ///< An index of LanesPicture::paths.
};

/// A warp's instructions in order of execution.
struct WarpRows {
  uint32_t warp = 0;
  uint32_t threads = 0;  ///< The lanes that have a thread.
  std::vector<LaneRow> rows;
};

/// Threads of the block that execute the same lines. Two lines that the same threads execute are on
/// one path, whatever the program's branches look like.
struct LanePath {
  std::string name;             ///< "A"; "all" if every thread takes it.
  bool all = false;             ///< Every thread of the block that executes anything takes it.
  std::vector<uint32_t> masks;  ///< The threads that take it, by warp.
  std::vector<uint32_t> lines;  ///< Ascending, without duplicates.
};

/// Lanes against time: all recorded warp instructions of a block. Derived from the recorded masks
/// alone. The instructions are loads, stores, additions to a sum, atomics and barriers; a trace
/// contains no others. Immutable.
struct LanesPicture {
  std::vector<WarpRows> warps;  ///< Ascending; only warps that execute something.
  std::vector<LanePath> paths;  ///< In order of first occurrence.
  uint64_t active = 0;          ///< Active lanes, summed over all rows.
  uint64_t slots = 0;           ///< 32 per row.
};
[[nodiscard]] LanesPicture lanesOf(const TracedKernel& kernel);

/// A line of the kernel's source without surrounding blanks; empty if there is no such line.
[[nodiscard]] std::string sourceLineOf(const TracedKernel& kernel, uint32_t line);

/// The cost of a launch's branches as counted by the interpreter.
struct BranchFigures {
  uint64_t branches = 0, divergent = 0, warpInstructions = 0;
  double efficiency = 1;   ///< Non-divergent branches / all branches; 1 if there are none.
  double activeLanes = 1;  ///< Thread instructions / (32 * warp instructions).
};
/// Absent if they were not counted, as on a GPU.
[[nodiscard]] std::optional<BranchFigures> branchFiguresOf(const lab::RunResult& result);

/// Describes the step in a sentence: "Warp 0, line 52: 16 of 32 lanes are on, 16 are off."
[[nodiscard]] std::string lanesSentence(const TracedStep& step);

}  // namespace tilestep::features
