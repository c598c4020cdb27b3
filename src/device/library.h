// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace tilestep::device {

/// "13.0", the version of the cuBLAS that this process finds, or an Error that says where it was
/// searched for and which package to install. Opens the library, which takes a moment, but no GPU.
Result<std::string> cublasVersion();

}  // namespace tilestep::device
