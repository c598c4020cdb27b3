// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/experiment.h"
#include "metrics/roofline.h"
#include "model/machine.h"

/// The features' additions to the roofline, beside the points of the current run.
namespace tilestep::model {

/// A reference speed, drawn as a horizontal line: that of a library, or of the best kernel. It was
/// measured for the same work at the same sizes, on a device whose name is that of the roofs'
/// device.
struct ReferenceMark {
  std::string name;  ///< A short name: "cuBLAS, pedantic FP32".
  double flopPerSecond = 0;
  std::string origin;  ///< How, where and when it was measured.
  Machine machine;     ///< The machine it was measured on.
};

/// An earlier run, for the roofline's trail.
struct FormerRun {
  uint64_t number = 0;  ///< As HistoryPoint::number.
  std::string label;
  Machine machine;  ///< The machine that ran it.
  metrics::RooflineWork work;
  std::string kernel;  ///< The trail shows runs of only one kernel.
};

/// The position of an earlier run, a pinned run or a rung of the ladder at one level.
struct RoofTrace {
  metrics::Level level = metrics::Level::dram;
  std::string name;  ///< Includes the machine, if it may differ from the main point's.
  double flopPerByte = 0, flopPerSecond = 0;
  bool bound = false;   ///< A computed bound, not a measurement.
  uint64_t number = 0;  ///< FormerRun::number, or the pin's id.
  unsigned colour = 0;  ///< For a pin: index of its category.
  std::string how;      ///< For a rung of the ladder: how its bytes are known.
};

struct RooflineMarks {
  std::vector<ReferenceMark> marks;
  std::vector<RoofTrace> rungs;  ///< The rungs of the ladder, if the main kernel is one of them.
};

/// Whether the counters include every load of the kernel. Bulk copies (cp.async.bulk) are not
/// counted, and older recordings omit asynchronous copies. If loads are missing, no bytes are
/// shown, because they would be too few.
[[nodiscard]] bool loadsAreCounted(const lab::RunResult& result);

/// The bytes that DRAM moved in a run, and the time of the run.
struct DramRate {
  std::string name;  ///< Includes the state of the caches: "DRAM, caches cold".
  double bytes = 0, seconds = 0;
  std::string from;  ///< The origin of the bytes and of the time, in a sentence or two.
  [[nodiscard]] double bytesPerSecond() const { return bytes / seconds; }
};
/// Absent if there is no time or no bytes are known. Bytes measured with cold caches are divided by
/// the time of runs with cold caches, if that is known. Without hardware counters, each buffer is
/// counted once.
[[nodiscard]] std::optional<DramRate> dramRateOf(const metrics::RooflineWork& work);

/// The roofline values of a result. `whatIf` omits times and hardware counters.
[[nodiscard]] metrics::RooflineWork rooflineWorkOf(const lab::RunResult& result, bool whatIf);

}  // namespace tilestep::model
