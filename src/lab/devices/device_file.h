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

/// A known device, from assets/devices/NAME.toml: data-sheet facts, computed and never measured.
struct DeviceFile {
  std::string id;    ///< The file's stem: "nvidia-h200".
  std::string name;  ///< "NVIDIA H200"
  std::string computeCapability;
  std::optional<double> dramBytesPerSecond, fp32FlopPerSecond;
  uint64_t l2Bytes = 0;  ///< 0: unknown, here and in the rest.
  uint32_t multiprocessors = 0;
  uint32_t clockMhz = 0;
  metrics::Multiprocessor multiprocessor;  ///< One multiprocessor, for occupancy.
  std::string note;
  std::vector<std::string> sources;  ///< Where the numbers are from.

  /// The facts in the form of a device's own description.
  [[nodiscard]] device::DeviceInfo info() const;
  [[nodiscard]] device::Ceilings ceilings() const;
};

/// Everything is checked: an unknown key, a wrong type, a value out of its range and numbers that
/// contradict each other are errors, with the file, the line where known, and the key.
Result<DeviceFile> readDeviceFile(const std::string& path);

/// Every readable file of `folder`, sorted by name; what could not be read is left in `errors`.
std::vector<DeviceFile> readDeviceFiles(const std::string& folder,
                                        std::vector<Error>* errors = nullptr);

}  // namespace tilestep::lab
