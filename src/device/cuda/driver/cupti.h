// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "device/cuda/driver/cupti_api.h"

namespace tilestep::cuda::cupti {

/// An opened CUPTI. It is never closed, because it keeps hooks in the driver.
struct Opened {
  Library library{};
  std::string version;  ///< "CUPTI 13.0"
  std::string path;     ///< The path from which it was opened.
};

/// The possible paths of libcupti.so, in search order (base/toolkit.h); an Error if the CUDA
/// Toolkit is hidden.
[[nodiscard]] Result<std::vector<std::string>> libraryPaths();

/// Opens the first library that has the range profiler (CUDA 12.6 or newer) and is no newer than
/// the driver. `driverVersion` is the result of cuDriverGetVersion: 13000. The Error says what was
/// found instead and which package to install.
[[nodiscard]] Result<Opened> open(const std::vector<std::string>& paths, int driverVersion);

/// 130001 as "CUPTI 13.0". Older versions are only release counters: "CUPTI (API version 26)".
[[nodiscard]] std::string versionText(uint32_t version);

/// Why CUPTI rejected `step` ("reading the counters of the chip") and what to do, in one sentence.
[[nodiscard]] std::string refusalOf(const Library& library, CuptiResult result,
                                    const std::string& step);
/// Like refusalOf() above, for a device that does not support profiling. A MIG slice is recognised
/// by `deviceName`.
[[nodiscard]] std::string refusalOf(const DeviceSupported& support, const std::string& deviceName);

}  // namespace tilestep::cuda::cupti
