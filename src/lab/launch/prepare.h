// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment.h"
#include "lab/run/finish.h"

namespace tilestep::lab {

/// A captured launch made ready for `device`: nothing is compiled and nothing is planned. An Error
/// where the device cannot run it.
Result<Prepared> prepareLaunch(const Experiment& experiment, device::Device& device);

/// Gives the job the launch's memory, as views by operand.
void placeOperands(const Experiment& experiment, const Prepared& prepared, device::Job& job);

/// Says what the launch seems to compute, or judges it by what a person says that it is meant to.
/// An Error where no operands have the shapes for that.
Status judgeOperation(const Experiment& experiment, const Prepared& prepared,
                      const device::Outcome& outcome, RunResult& result);

}  // namespace tilestep::lab
