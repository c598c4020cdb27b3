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

/// An experiment made ready: what every request on a kernel needs first.
struct Prepared {
  compile::KernelSpec spec;
  compile::Plan plan;
  std::shared_ptr<const compile::Compiled> compiled;
  device::Device* device = nullptr;
  RecordedDevice* recorded = nullptr;  ///< The same, where it is a recording.
  std::vector<View> views;             ///< Of a captured launch: by operand.
};

/// What a run brought as a result: outputs are compared and hashed, and counts are named. Errors: a
/// reference or a formula that does not fit the operands, cancelled.
Result<RunResult> finish(const Experiment& experiment, Prepared prepared, const device::Job& job,
                         device::Outcome outcome, const device::Stop& stop);

}  // namespace tilestep::lab
