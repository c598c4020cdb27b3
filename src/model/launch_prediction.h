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

/// What a launch takes on a GPU, worked out from its counts and trace. Pure.
namespace tilestep::model {

/// A prediction is called a hit where the measured time is at most so much longer or shorter.
inline constexpr double kNearPrediction = 0.25;
/// `ratio`: measured ÷ predicted.
[[nodiscard]] bool isNear(double ratio);

/// What a launch did, as it was counted and traced.
struct LaunchWork {
  metrics::CountedWork counted;
  std::optional<metrics::BlockWaits> waits;  ///< Nothing without a whole trace of a block.
  /// What L1 asks L2 for, if it keeps what its block has used, and all that is stored. Nothing
  /// without a whole trace of a block.
  std::optional<double> l2Bytes;
  bool copies = false;  ///< The traced block copies asynchronously.
};
/// Nothing where the launch was not counted.
[[nodiscard]] std::optional<LaunchWork> launchWorkOf(const lab::RunResult& result);

/// The time of one launch among many of it, with warm caches. `result`: of the launch, of which the
/// trace is not needed; it may have been counted on another device than `device`. `work`: of the
/// same launch. Nothing where no rate is known.
///
/// The prediction is metrics::launchTimeOf, or where the latencies of the device, or what a block
/// waits for, are not known, the time of the busiest resource (metrics/limits.h). Amounts are those
/// of the program as written, but the hardware's own counts of instructions and of bytes that L2
/// and DRAM move come first. Without them L2 moves LaunchWork::l2Bytes, and DRAM each buffer once,
/// but no more than L2. A launch that writes a quarter of its bytes or more does so at the rate of
/// a copy. Registers limit how many blocks are resident where the result has them.
[[nodiscard]] std::optional<metrics::LaunchTime> predictedTime(const lab::RunResult& result,
                                                               const LaunchWork& work,
                                                               const device::DeviceInfo& device,
                                                               const device::Ceilings& ceilings);

/// The most registers of a thread that are allowed for where nobody knows them; or two for each
/// instruction that a warp executes, on average, where that is less: no more values were made. A
/// thread takes more only where it keeps many values at once, such as a tile of results. Of the
/// kernels in the shipped recording the ladder's do, from rung 6 on, and one with free tiles.
inline constexpr uint32_t kMostUnknownRegisters = 64;

/// A predicted time whose resident blocks are not quite known.
struct PredictedSpan {
  double low = 0, high = 0;             ///< Seconds; equal where the registers are known. low > 0.
  std::string limit;                    ///< What takes the longest in `high`: LaunchTime::limit.
  [[nodiscard]] double middle() const;  ///< The geometric mean.
};

/// The time of a launch that was counted and traced without the GPU, by the same model as
/// predictedTime, but with blocks whose warps overlap (metrics::BlockUse). Both ends are
/// taken of what is not known: registers, where the result has none, as few as limit nothing and
/// kMostUnknownRegisters; and shared loads as written, and merged where the assembler may. An Error
/// says in a sentence why nothing can be said of its time: it was not counted, it does what was not
/// counted, it does not fit, or what waits cost on the device is not known.
[[nodiscard]] Result<PredictedSpan> predictedSpan(const lab::RunResult& result,
                                                  const std::optional<LaunchWork>& work,
                                                  const device::DeviceInfo& device,
                                                  const device::Ceilings& ceilings);

}  // namespace tilestep::model
