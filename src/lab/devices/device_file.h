// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "metrics/occupancy.h"

namespace tilestep::lab {

/// A known device, from assets/devices/NAME.toml: data-sheet values and values computed from them,
/// never measured ones.
struct DeviceFile {
  std::string id;    ///< The file's stem: "nvidia-h200".
  std::string name;  ///< "NVIDIA H200"
  std::string computeCapability;
  std::optional<double> dramBytesPerSecond, fp32FlopPerSecond;
  uint64_t l2Bytes = 0;  ///< 0 if unknown, as in the fields below.
  uint32_t multiprocessors = 0;
  uint32_t clockMhz = 0;
  metrics::Multiprocessor multiprocessor;  ///< One multiprocessor, for occupancy.
  std::string note;
  std::vector<std::string> sources;

  /// The same facts as a device reports about itself.
  [[nodiscard]] device::DeviceInfo info() const;
  [[nodiscard]] device::Ceilings ceilings() const;
};

/// Errors: an unknown key, a wrong type, a value out of range, contradictory numbers. They name the
/// file, the key, and the line if known.
Result<DeviceFile> readDeviceFile(const std::string& path);

/// Reads the files of `folder`, sorted by name. Errors of invalid files are added to `errors`.
std::vector<DeviceFile> readDeviceFiles(const std::string& folder,
                                        std::vector<Error>* errors = nullptr);

}  // namespace tilestep::lab
