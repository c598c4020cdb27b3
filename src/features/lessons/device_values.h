// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "device/device.h"
#include "features/names.h"
#include "lab/result_values.h"

/// The shown device's values for a lesson's text, named as in `tilestep devices --json`.
namespace tilestep::features {

using ValuesByPath = std::map<std::string, Result<lab::ResultValue>>;

/// Each value, or an Error that says why it is unknown.
[[nodiscard]] ValuesByPath valuesOfDevice(const device::DeviceInfo& device);

/// An Error if there is no such value; it suggests the nearest path.
[[nodiscard]] Status checkDevicePath(const std::string& path);

}  // namespace tilestep::features
