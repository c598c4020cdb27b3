// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "device/cuda/driver/cupti_api.h"

namespace tilestep::cuda::cupti {

/// An opened CUPTI; never closed, for it keeps hooks in the driver.
struct Opened {
  Library library{};
  std::string version;  ///< "CUPTI 13.0"
  std::string path;     ///< As it was opened.
};

/// Where libcupti.so may lie, in the order in which it is looked for (base/toolkit.h); an Error
/// where the CUDA Toolkit is hidden.
[[nodiscard]] Result<std::vector<std::string>> libraryPaths();

/// Opens the first library that has the range profiler (CUDA 12.6 or newer) and is no newer than
/// the driver. `driverVersion` as cuDriverGetVersion says it: 13000. The Error says what was found
/// instead and which package to install.
[[nodiscard]] Result<Opened> open(const std::vector<std::string>& paths, int driverVersion);

/// "CUPTI 13.0" of 130001; older versions count releases alone: "CUPTI (API version 26)".
[[nodiscard]] std::string versionText(uint32_t version);

/// Why CUPTI refused `step` ("reading the counters of the chip") and what to do, in one sentence.
[[nodiscard]] std::string refusalOf(const Library& library, CuptiResult result,
                                    const std::string& step);
/// Likewise of a device whose profiling is not supported; `deviceName` tells a MIG slice.
[[nodiscard]] std::string refusalOf(const DeviceSupported& support, const std::string& deviceName);

}  // namespace tilestep::cuda::cupti
