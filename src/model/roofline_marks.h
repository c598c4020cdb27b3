// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/experiment.h"
#include "metrics/roofline.h"
#include "model/machine.h"

/// What features put on the roofline beside the points of the present run.
namespace tilestep::model {

/// A speed to compare with, drawn as a line across: a library's, the best kernel's. Of the same
/// work at the same sizes on a device of the roofs' name.
struct ReferenceMark {
  std::string name;  ///< "cuBLAS, pedantic FP32": few words.
  double flopPerSecond = 0;
  std::string origin;  ///< How it was measured, where and when.
  Machine machine;     ///< That it was measured on.
};

/// A run of before, for the trail.
struct FormerRun {
  uint64_t number = 0;  ///< As HistoryPoint::number.
  std::string label;
  Machine machine;  ///< That made it.
  metrics::RooflineWork work;
  std::string kernel;  ///< The trail is of one kernel alone.
};

/// Where a run of before, a pinned one or a rung of the ladder lies at one level.
struct RoofTrace {
  metrics::Level level = metrics::Level::dram;
  std::string name;  ///< With whose it is, where it need not be the main point's machine's.
  double flopPerByte = 0, flopPerSecond = 0;
  bool bound = false;   ///< Computed, not measured.
  uint64_t number = 0;  ///< FormerRun::number, or the pin's id.
  unsigned colour = 0;  ///< Of a pin: which of the categories.
  std::string how;      ///< Of a rung: how its bytes are known.
};

/// What the features add.
struct RooflineMarks {
  std::vector<ReferenceMark> marks;
  std::vector<RoofTrace> rungs;  ///< Of the ladder, where the main kernel is one of them.
};

/// Whether the counters include every load of the kernel. A bulk copy (cp.async.bulk) is not
/// counted, and recordings from before asynchronous copies were counted leave those out; such a
/// result shows no bytes rather than too few.
[[nodiscard]] bool loadsAreCounted(const lab::RunResult& result);

/// What a result puts on a roofline. `elsewhere`: without times and hardware counters.
[[nodiscard]] metrics::RooflineWork rooflineWorkOf(const lab::RunResult& result, bool elsewhere);

}  // namespace tilestep::model
