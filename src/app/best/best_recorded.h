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
  device::DeviceInfo device;  ///< The machine that took it, and when.
  double medianMs = 0;
  size_t points = 0;  ///< How many it was chosen from.
};

/// `chosen` restricts tunables. Errors: none is recorded there; then which sizes are.
Result<RecordedBest> bestRecorded(const lab::DeviceRecording& recording,
                                  const compile::KernelSpec& spec, uint64_t code,
                                  const compile::Bindings& sizes,
                                  const std::vector<lab::Axis>& chosen);

}  // namespace tilestep::app
