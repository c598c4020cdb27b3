// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "compile/kernel.h"
#include "device/device.h"
#include "device/stop.h"
#include "lab/experiment.h"
#include "lab/launch/operands.h"

namespace tilestep::lab {

class RecordedDevice;

/// A prepared experiment: the parts that every request on a kernel needs.
struct Prepared {
  compile::KernelSpec spec;
  compile::Plan plan;
  std::shared_ptr<const compile::Compiled> compiled;
  device::Device* device = nullptr;
  RecordedDevice* recorded = nullptr;  ///< The same device if it is a recording, otherwise null.
  std::vector<View> views;             ///< One per operand of a captured launch; otherwise empty.
};

/// Turns a run's outcome into a result: compares and hashes outputs, and names counts. Errors: a
/// reference or a formula that does not fit the operands; cancelled.
Result<RunResult> finish(const Experiment& experiment, Prepared prepared, const device::Job& job,
                         device::Outcome outcome, const device::Stop& stop);

}  // namespace tilestep::lab
