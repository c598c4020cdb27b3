// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilestep {

/// Whether the CUDA Toolkit is hidden: $TILESTEP_TOOLKIT is `none`, and Tilestep behaves as if no
/// toolkit were installed. Unset or empty, it is not hidden; any other value is an Error.
[[nodiscard]] Result<bool> isToolkitHidden();

/// The toolkits that may be installed in a folder such as /usr/local: `cuda` there, then
/// `cuda-13.0` and the like, the newest first.
[[nodiscard]] std::vector<std::string> toolkitsIn(const std::string& folder);

/// Candidate paths of a file of the CUDA Toolkit, the best first: the toolkit that CUDA_HOME
/// or CUDA_PATH names, the folder of the NVRTC that this process uses, the bare name (for which the
/// loader searches), /usr/local/cuda, and other toolkits in /usr/local, the newest first. `inside`
/// holds the file's possible folders within a toolkit, `names` its possible names, the best first.
/// An Error if the toolkit is hidden. All files of the toolkit are opened by these paths.
[[nodiscard]] Result<std::vector<std::string>> toolkitPaths(std::span<const char* const> inside,
                                                            std::span<const char* const> names);

}  // namespace tilestep
