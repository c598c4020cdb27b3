// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace tilestep::device {

/// The version, such as "13.0", of the cuBLAS that this process finds. The Error lists the searched
/// folders and the package to install. Opens the library, which takes a moment, but no GPU.
Result<std::string> cublasVersion();

}  // namespace tilestep::device
