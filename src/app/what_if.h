// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lab/devices/what_if.h"

namespace tilestep::app {

/// The known devices of assets/devices with these names (the file's or the device's), in the given
/// order; "all" names every device. Errors: an unknown name, or a requested file that is damaged.
/// Other damaged files are reported on standard error.
Result<std::vector<lab::DeviceFile>> knownDevices(const std::vector<std::string>& names);

/// The output of `run --what-if`; empty if no device was requested.
[[nodiscard]] std::string whatIfTable(const std::vector<lab::WhatIf>& all);

/// The output of `devices --known`.
[[nodiscard]] std::string knownTable(const std::vector<lab::DeviceFile>& files);

}  // namespace tilestep::app
