// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace tilestep::cuda {

/// Where a library of the CUDA Toolkit may lie, in the order in which it is looked for: the toolkit
/// that CUDA_HOME or CUDA_PATH name, beside the NVRTC that this process uses, where the loader
/// looks, /usr/local/cuda and other toolkits there, the newest first. `inside`: its folders in a
/// toolkit; `names`: the file's, the best first.
[[nodiscard]] std::vector<std::string> toolkitLibraryPaths(std::span<const char* const> inside,
                                                           std::span<const char* const> names);

/// "13-0" of what cuDriverGetVersion says, 13000: as packages of the toolkit are named.
[[nodiscard]] std::string packageRelease(int driverVersion);

}  // namespace tilestep::cuda
