// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/process/time_watch.h"
#include "ptx/assembled.h"

namespace tilestep::program {

/// The path of the CUDA Toolkit's ptxas, the only tool that knows how many registers a kernel
/// needs. Empty if it is missing, or if the toolkit is hidden.
[[nodiscard]] std::string findPtxas();

/// The report of ptxas on the PTX for the GPU `arch` ("sm_90"), as comments to append to the PTX.
/// Empty if ptxas rejects the PTX. `folder` is for temporary files.
[[nodiscard]] std::string registerComments(const std::string& ptxas, const std::string& arch,
                                           std::string_view ptx,
                                           const std::filesystem::path& folder,
                                           const TimeLimits& limits);
/// Parses such comments.
[[nodiscard]] ptx::Assembled registersIn(std::string_view ptx);

}  // namespace tilestep::program
