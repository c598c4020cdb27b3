// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/kernel_choice.h"
#include "lab/recording/recording.h"

/// Which points `tilestep record` takes.
namespace tilestep::app {

struct RecordPoint {
  uint32_t kernel = 0;  ///< Index into the recording's kernels.
  lab::Experiment experiment;
};

/// Every legal combination of the kernels' tunables and sizes on `device` that the recording does
/// not hold yet; sizes in their order, and at each all kernels, so that what is done when it is cut
/// off is whole for the first sizes. With `defaults` a tunable that the choice does not name takes
/// its default alone. `choice.tunables` may name a kernel: KERNEL.NAME=VALUES. Adds
/// the kernels to the recording; with `replace` it drops what the recording holds of them first.
/// Timelines are asked of launches of at most `timelineBlocks`.
/// Errors: those of kernels and choices, and that no point is legal.
Result<std::vector<RecordPoint>> recordPlan(const std::vector<std::string>& kernels,
                                            const Choice& choice, bool defaults, bool replace,
                                            const Limits& device, uint64_t timelineBlocks,
                                            lab::DeviceRecording& recording);

}  // namespace tilestep::app
