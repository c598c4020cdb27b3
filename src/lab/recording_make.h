// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/recording.h"

/// Making a recording: which points, and what of a result is kept.
namespace tilestep::lab {

/// Blocks of a timeline that is kept, unless told otherwise: more fill the file with what few look
/// at.
constexpr uint64_t kUsualTimelineBlocks = 4096;

/// The values that a recording takes of a tunable where nobody names any: all that it lists, all of
/// a range of at most 64, else the range's powers of two.
[[nodiscard]] std::vector<int64_t> usualValues(const compile::TunableSpec& tunable);

/// A recording that begins now (unix seconds, UTC).
[[nodiscard]] DeviceRecording beginRecording(const device::DeviceInfo& device,
                                             const std::string& program, int64_t now);

/// Adds `source` to the kernels, or finds it there. Errors: one of the same name has another code.
tilestep::Result<uint32_t> addKernel(DeviceRecording& recording,
                                     const compile::KernelSource& source,
                                     const compile::KernelSpec& spec);

/// What should be asked of a GPU for one point; its timeline where it has at most that many blocks.
[[nodiscard]] Experiment recordingExperiment(const compile::KernelSource& source,
                                             const compile::Plan& plan, uint64_t timelineBlocks);

/// Keeps what a GPU answered. Errors: a kernel that failed or has no time is no point; a compiler
/// other than the recording's first is another recording.
Status addPoint(DeviceRecording& recording, uint32_t kernel, const Result& result, int64_t now);

/// Drops epochs that a recording made today would not keep, of timelines that it holds.
void thinTimelines(DeviceRecording& recording);

/// Whether `device` may go on with `recording`, or what differs: a request error.
Status mayGoOn(const DeviceRecording& recording, const device::DeviceInfo& device);

}  // namespace tilestep::lab
