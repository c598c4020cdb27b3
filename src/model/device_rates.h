// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"
#include "metrics/limits.h"

namespace tilestep::model {

/// What a device does at most in a second. `ceilings`: its own, or null where they are not known.
[[nodiscard]] metrics::DeviceRates ratesOf(const device::DeviceInfo& info,
                                           const device::Ceilings* ceilings);

}  // namespace tilestep::model
