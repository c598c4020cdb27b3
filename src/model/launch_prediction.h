// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "device/device.h"
#include "lab/experiment.h"
#include "metrics/block_waits.h"
#include "metrics/launch_time.h"
#include "metrics/limits.h"

/// Predicts the time of a launch on a GPU from its counts and trace. Pure.
namespace tilestep::model {

/// A prediction counts as a hit if the measured time is longer or shorter by at most this fraction.
inline constexpr double kNearPrediction = 0.25;
/// `ratio` is measured / predicted.
[[nodiscard]] bool isNear(double ratio);

struct LaunchWork {
  metrics::CountedWork counted;
  std::optional<metrics::BlockWaits> waits;  ///< Absent without a complete trace of a block.
  /// The bytes that L1 requests from L2, assuming that L1 keeps everything that its block has used,
  /// plus all stores. Absent without a complete trace of a block.
  std::optional<double> l2Bytes;
  bool copies = false;  ///< The traced block copies asynchronously.
};
/// Absent if the launch was not counted.
[[nodiscard]] std::optional<LaunchWork> launchWorkOf(const lab::RunResult& result);

/// The time of one launch in a series of identical ones, with warm caches. `result` is of the
/// launch; its trace is not needed, and it may have been counted on a different device than
/// `device`. `work` is of the same launch. Absent if no rate is known.
///
/// The prediction is metrics::launchTimeOf. If the device's latencies or a block's waits are
/// unknown, it is the time of the busiest resource (metrics/limits.h). Amounts are those of the
/// program as written, except that the hardware's own counts of instructions and of L2 and DRAM
/// bytes take precedence. Without these counts, L2 moves LaunchWork::l2Bytes, and DRAM moves each
/// buffer once, but no more bytes than L2. If at least a quarter of a launch's bytes are writes,
/// DRAM runs at the rate of a copy. If the result has registers, they limit the number of resident
/// blocks.
[[nodiscard]] std::optional<metrics::LaunchTime> predictedTime(const lab::RunResult& result,
                                                               const LaunchWork& work,
                                                               const device::DeviceInfo& device,
                                                               const device::Ceilings& ceilings);

/// The maximum number of registers per thread that is assumed if it is unknown. The assumption is
/// lower if a warp executes few instructions: two registers for each, because no more values were
/// produced. A thread needs more only if it keeps many values at once, such as a tile of results.
/// In the shipped recording, these are the kernels of the ladder from rung 6 on, and one with free
/// tiles.
inline constexpr uint32_t kMostUnknownRegisters = 64;

/// A predicted time with a partly unknown number of resident blocks.
struct PredictedSpan {
  double low = 0, high = 0;  ///< Seconds; equal if the registers are known. low > 0.
  std::string limit;         ///< The resource that takes longest in `high`: LaunchTime::limit.
  [[nodiscard]] double middle() const;  ///< The geometric mean.
};

/// The time of a launch that was counted and traced without the GPU, by the same model as
/// predictedTime, but with blocks whose warps overlap (metrics::BlockUse). The span covers two
/// unknowns. If the result has no registers, they range from so few that they limit nothing to
/// kMostUnknownRegisters. Shared loads are between unmerged, as written, and merged as far as the
/// assembler may. The Error explains in a sentence why no time can be predicted: the launch was not
/// counted, does uncounted work, does not fit, or the device's latencies are not known.
[[nodiscard]] Result<PredictedSpan> predictedSpan(const lab::RunResult& result,
                                                  const std::optional<LaunchWork>& work,
                                                  const device::DeviceInfo& device,
                                                  const device::Ceilings& ceilings);

}  // namespace tilestep::model
