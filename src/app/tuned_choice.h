// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"
#include "worker/client.h"

namespace tilestep::app {

/// Gives the experiment the tunables that are known to be the best for its kernel, device and
/// sizes; those that it names already stay. Says on standard error which were taken and from where.
/// Errors: none are known for the device.
Status takeTuned(worker::Client& client, lab::Experiment& experiment);

}  // namespace tilestep::app
