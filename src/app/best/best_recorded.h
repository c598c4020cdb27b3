// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lab/recording/recording.h"
#include "lab/sweep.h"

namespace tilestep::app {

/// The fastest of a recording's points for one kernel at these sizes.
struct RecordedBest {
  compile::Bindings tunables;
  device::DeviceInfo device;  ///< The machine that measured it, and when.
  double medianMs = 0;
  size_t points = 0;  ///< Number of points that it was chosen from.
};

/// `chosen` restricts tunables. Errors: no point is recorded at these sizes; the error names the
/// sizes that are recorded.
Result<RecordedBest> bestRecorded(const lab::DeviceRecording& recording,
                                  const compile::KernelSpec& spec, uint64_t code,
                                  const compile::Bindings& sizes,
                                  const std::vector<lab::Axis>& chosen);

}  // namespace tilestep::app
