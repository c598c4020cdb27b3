// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/recording/recording.h"

/// Making a recording: which points, and what of a result is kept.
namespace tilestep::lab {

/// The most blocks of a timeline that is kept by default. Longer ones fill the file with data that
/// is rarely looked at.
constexpr uint64_t kUsualTimelineBlocks = 4096;

/// The values of a tunable that a recording takes by default: all that it lists, all of a range of
/// at most 64, else the range's powers of two.
[[nodiscard]] std::vector<int64_t> usualValues(const compile::TunableSpec& tunable);

/// A recording that begins now (unix seconds, UTC), without machines.
[[nodiscard]] DeviceRecording beginRecording(const device::DeviceInfo& device,
                                             const std::string& program, int64_t now);

/// The number of this GPU among the recording's machines, to which it is added if necessary. A GPU
/// without an identity may be a different one each time, so it is added each time, replacing the
/// last such machine if that has no points.
[[nodiscard]] uint32_t joinMachines(DeviceRecording& recording, const device::DeviceInfo& device,
                                    int64_t now);

/// Adds `source` to the kernels, or finds it there. Errors: one of the same name has another code.
Result<uint32_t> addKernel(DeviceRecording& recording, const compile::KernelSource& source,
                           const compile::KernelSpec& spec);

/// What should be asked of a GPU for one point; its timeline where it has at most that many blocks.
[[nodiscard]] Experiment recordingExperiment(const compile::KernelSource& source,
                                             const compile::Plan& plan, uint64_t timelineBlocks);

/// Drops the kernel's points, and its source, so that another may take its place.
void dropKernel(DeviceRecording& recording, const std::string& kernel);

/// Where a point belongs: indexes into the recording's kernels, and into its machines counted from
/// 1.
struct PointPlace {
  uint32_t kernel = 0, machine = 0;
};
/// Keeps what a GPU answered, in place of an earlier point of the same kernel, sizes and tunables.
/// Errors: a kernel that failed or has no time is no point; a compiler
/// other than the recording's first is another recording.
Status addPoint(DeviceRecording& recording, PointPlace place, const RunResult& result, int64_t now);

/// Drops epochs that a recording made today would not keep, of timelines that it holds.
void thinTimelines(DeviceRecording& recording);

/// Success if `device` may continue `recording`, else a request error that says what differs.
/// Another GPU of the same kind may, under the same driver; each point names its machine.
Status mayGoOn(const DeviceRecording& recording, const device::DeviceInfo& device);

}  // namespace tilestep::lab
