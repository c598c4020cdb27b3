// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"
#include "worker/client.h"

namespace tilestep::app {

/// Sets the tunables that are known to be the best for the experiment's kernel, device and sizes,
/// except those that it already names. Reports the tunables and their origin on standard error.
/// Errors: none are known for the device.
Status takeTuned(worker::Client& client, lab::Experiment& experiment);

}  // namespace tilestep::app
