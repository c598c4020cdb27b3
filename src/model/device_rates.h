// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "device/device.h"
#include "metrics/launch_time.h"
#include "metrics/limits.h"

namespace tilestep::model {

/// What a device does at most in a second. `ceilings`: its own, or null where they are not known.
[[nodiscard]] metrics::DeviceRates ratesOf(const device::DeviceInfo& info,
                                           const device::Ceilings* ceilings);

/// What was measured of waiting; nothing unless all of it was.
[[nodiscard]] std::optional<metrics::Latencies> latenciesOf(const device::Ceilings& ceilings);

}  // namespace tilestep::model
