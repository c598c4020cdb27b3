// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/recording/recording.h"

/// Making a recording: the choice of points, and the parts of a result that are stored.
namespace tilestep::lab {

/// The most blocks of a timeline that is stored by default, because long timelines need space.
constexpr uint64_t kUsualTimelineBlocks = 4096;

/// The values of a tunable that are recorded by default: all listed values, all of a range of at
/// most 64 values, otherwise the range's powers of two.
[[nodiscard]] std::vector<int64_t> usualValues(const compile::TunableSpec& tunable);

/// A recording that begins at `now` (Unix seconds, UTC), without machines.
[[nodiscard]] DeviceRecording beginRecording(const device::DeviceInfo& device,
                                             const std::string& program, int64_t now);

/// The number of this GPU among the recording's machines. Adds the GPU if necessary. A GPU without
/// an identity may be a different one each time, so it is always added, but replaces the previous
/// GPU without an identity if that has no points.
[[nodiscard]] uint32_t joinMachines(DeviceRecording& recording, const device::DeviceInfo& device,
                                    int64_t now);

/// Returns the index of the source's kernel, and adds the kernel if it is new. Errors: a kernel of
/// the same name has different code.
Result<uint32_t> addKernel(DeviceRecording& recording, const compile::KernelSource& source,
                           const compile::KernelSpec& spec);

/// The experiment for one point, with a timeline if there are at most `timelineBlocks` blocks.
[[nodiscard]] Experiment recordingExperiment(const compile::KernelSource& source,
                                             const compile::Plan& plan, uint64_t timelineBlocks);

/// Deletes the kernel's points and its source, so that another source may replace it.
void dropKernel(DeviceRecording& recording, const std::string& kernel);

/// The kernel and machine of a point: an index into the recording's kernels, and the number of a
/// machine, counted from 1.
struct PointPlace {
  uint32_t kernel = 0, machine = 0;
};
/// Stores a GPU's result; it replaces an earlier point of the same kernel, sizes and tunables.
/// Errors: a kernel that failed or has no time; a compiler other than the recording's first.
Status addPoint(DeviceRecording& recording, PointPlace place, const RunResult& result, int64_t now);

/// Deletes those epochs of stored timelines that a new recording would not store.
void thinTimelines(DeviceRecording& recording);

/// Success if `device` may continue `recording`, else an Error of kind request that states the
/// difference. A different GPU of the same model with the same driver may continue it, because each
/// point names its machine.
Status mayGoOn(const DeviceRecording& recording, const device::DeviceInfo& device);

}  // namespace tilestep::lab
