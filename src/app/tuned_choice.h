// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"
#include "worker/client.h"

namespace tilestep::app {

/// Sets the best known tunables for the experiment's kernel, device and sizes, except those that
/// the experiment already sets. Reports the tunables and their origin on standard error. Error: no
/// best tunables are known for the device.
Status takeTuned(worker::Client& client, lab::Experiment& experiment);

}  // namespace tilestep::app
