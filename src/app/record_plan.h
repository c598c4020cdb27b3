// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/kernel_choice.h"
#include "lab/recording/recording.h"
#include "model/files/lab_file.h"

/// Determines the points that `tilestep record` measures.
namespace tilestep::app {

struct RecordPoint {
  uint32_t kernel = 0;  ///< Index into the recording's kernels.
  lab::Experiment experiment;
};

/// Every legal combination of the kernels' tunables and sizes on `device` that the recording does
/// not contain yet. Points are ordered by size, so that an interrupted recording is complete for
/// the first sizes. With `defaults`, a tunable that the choice does not name has only its default.
/// `choice.tunables` may name a kernel: KERNEL.NAME=VALUES. Adds the kernels to the recording; with
/// `replace`, first removes their existing data. Requests timelines for launches of at most
/// `timelineBlocks` blocks. Errors: an invalid kernel or choice, or no legal point.
Result<std::vector<RecordPoint>> recordPlan(const std::vector<std::string>& kernels,
                                            const Choice& choice, bool defaults, bool replace,
                                            const Limits& device, uint64_t timelineBlocks,
                                            lab::DeviceRecording& recording);

/// Like recordPlan, for the kernels whose times the labs show, at the labs' sizes and tunables,
/// each point once. A point that the recording contains without the timings that a lab needs is
/// measured again. Points that cannot be launched on `device` are omitted.
Result<std::vector<RecordPoint>> recordPlanOfLabs(const std::vector<model::Lab>& labs, bool replace,
                                                  const Limits& device, uint64_t timelineBlocks,
                                                  lab::DeviceRecording& recording);

}  // namespace tilestep::app
