// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/result.h"
#include "device/captured.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// The contents, before the launch, of the buffers that the launch only reads, in parameter order.
/// Errors: the launch's memory was not kept.
Result<std::vector<GivenInput>> dataOfLaunch(const device::CapturedLaunch& launch);

/// Puts the experiment's data into the buffers that the plan only reads. Does nothing if the
/// experiment names no launch. Errors: the buffers differ in number, size or type.
Status takeData(const Experiment& experiment, compile::Plan& plan);

}  // namespace tilestep::lab
