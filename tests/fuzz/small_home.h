// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::fuzz {

/// A folder with two kernels and nothing else, in which a session opens quickly. It is made at the
/// first call, and is removed when the program ends.
[[nodiscard]] const std::string& smallHome();

}  // namespace tilestep::fuzz
