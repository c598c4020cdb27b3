// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilestep {

/// Whether $TILESTEP_TOOLKIT is `none`, which makes Tilestep behave as if no CUDA Toolkit were
/// installed. False if it is unset or empty; any other value is an Error.
[[nodiscard]] Result<bool> isToolkitHidden();

/// Paths of toolkits in a folder such as /usr/local: `cuda`, which may not exist, then the existing
/// `cuda-*`, newest version first.
[[nodiscard]] std::vector<std::string> toolkitsIn(const std::string& folder);

/// Candidate paths of a file of the CUDA Toolkit, best first: the toolkits that CUDA_HOME and
/// CUDA_PATH name, the toolkit of the NVRTC that this process has loaded, the bare name (for which
/// the loader searches), and toolkitsIn("/usr/local"). `inside` holds the file's possible folders
/// within a toolkit, and `names` its possible names, each best first. Fails if the toolkit is
/// hidden. All files of the toolkit are opened through these paths.
[[nodiscard]] Result<std::vector<std::string>> toolkitPaths(std::span<const char* const> inside,
                                                            std::span<const char* const> names);

}  // namespace tilestep
