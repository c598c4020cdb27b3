// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "device/device.h"

namespace tilestep::cuda {

/// The cache file of a device's ceilings. Its name contains the device's name, its `identity` among
/// devices of that name, the driver, and the kernels that measure.
[[nodiscard]] std::filesystem::path ceilingsFile(const std::string& cacheFolder,
                                                 const std::string& device,
                                                 const std::string& identity,
                                                 const std::string& driverVersion,
                                                 const std::string& probePtx);

/// The stored ceilings; nothing if the file is missing, damaged or of another version.
[[nodiscard]] std::optional<device::Ceilings> readCeilings(const std::filesystem::path& file);
/// Stores measured ceilings as TOML.
Status writeCeilings(const std::filesystem::path& file, const device::Ceilings& ceilings);

}  // namespace tilestep::cuda
