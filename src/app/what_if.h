// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lab/devices/what_if.h"

namespace tilestep::app {

/// The known devices of assets/devices with these names (the file's, or the device's own), in
/// their order; "all": every one. An unknown name is an error, and so is a damaged file that was
/// asked for; others are reported on standard error.
Result<std::vector<lab::DeviceFile>> knownDevices(const std::vector<std::string>& names);

/// What `run --what-if` prints; empty if no device was requested.
[[nodiscard]] std::string whatIfTable(const std::vector<lab::WhatIf>& all);

/// What `devices --known` prints.
[[nodiscard]] std::string knownTable(const std::vector<lab::DeviceFile>& files);

}  // namespace tilestep::app
