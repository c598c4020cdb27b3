// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::program {

/// The text of cudaGetErrorString for a cudaError.
[[nodiscard]] std::string errorString(int error);

}  // namespace tilestep::program
