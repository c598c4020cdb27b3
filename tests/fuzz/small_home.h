// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::fuzz {

/// A folder with only two kernels, in which a session opens quickly. It is created by the first
/// call, and removed when the program ends.
[[nodiscard]] const std::string& smallHome();

}  // namespace tilestep::fuzz
