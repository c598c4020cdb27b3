// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"
#include "worker/client.h"

namespace tilestep::app {

/// Sets the tunables that are known to be the best for the experiment's kernel, device and sizes;
/// those that it already names are kept. Reports on standard error which were taken, and their
/// origin. Errors: none are known for the device.
Status takeTuned(worker::Client& client, lab::Experiment& experiment);

}  // namespace tilestep::app
