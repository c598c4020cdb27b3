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

/// Where a file of the CUDA Toolkit may lie, in the order in which it is looked for: the toolkit
/// that CUDA_HOME or CUDA_PATH names, beside the NVRTC that this process uses, the bare name (which
/// the loader looks for), /usr/local/cuda, and other toolkits there, the newest first. `inside`:
/// the file's folders in a toolkit; `names`: its names, the best first. An Error where the toolkit
/// is hidden. Everything that opens a file of the toolkit asks here for its path.
[[nodiscard]] Result<std::vector<std::string>> toolkitPaths(std::span<const char* const> inside,
                                                            std::span<const char* const> names);

}  // namespace tilestep
