// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "device/device.h"

namespace tilestep::cuda {

/// Where a device's ceilings are kept: by its name, which of that name it is (`identity`), the
/// driver, and the kernels that measured.
[[nodiscard]] std::filesystem::path ceilingsFile(const std::string& cacheFolder,
                                                 const std::string& device,
                                                 const std::string& identity,
                                                 const std::string& driverVersion,
                                                 const std::string& probePtx);

/// What was kept, or nothing where the file is missing, damaged or of another version.
[[nodiscard]] std::optional<device::Ceilings> readCeilings(const std::filesystem::path& file);
/// Keeps measured ceilings as TOML.
Status writeCeilings(const std::filesystem::path& file, const device::Ceilings& ceilings);

}  // namespace tilestep::cuda
