// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment.h"
#include "lab/run/finish.h"

namespace tilestep::lab {

/// Prepares a captured launch without compiling it. Error if the device cannot run it.
Result<Prepared> prepareLaunch(const Experiment& experiment, device::Device& device);

/// Gives the job the launch's memory, as one view per operand.
void placeOperands(const Experiment& experiment, const Prepared& prepared, device::Job& job);

/// Finds the operation that the launch seems to compute, or judges the launch by the operation that
/// the user specified. Error if no operands have suitable shapes for that operation.
Status judgeOperation(const Experiment& experiment, const Prepared& prepared,
                      const device::Outcome& outcome, RunResult& result);

}  // namespace tilestep::lab
