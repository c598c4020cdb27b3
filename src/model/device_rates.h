// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "device/device.h"
#include "metrics/launch_time.h"
#include "metrics/limits.h"

namespace tilestep::model {

/// The peak rates of a device. `ceilings` are those of the device, or null if they are not known.
[[nodiscard]] metrics::DeviceRates ratesOf(const device::DeviceInfo& info,
                                           const device::Ceilings* ceilings);

/// The measured latencies; absent unless all of them were measured.
[[nodiscard]] std::optional<metrics::Latencies> latenciesOf(const device::Ceilings& ceilings);

}  // namespace tilestep::model
