// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Takes any text as a lab of the kernels and lessons that come with the program. Empty when all
/// holds, else what does not: a refusal without a place, a lab that breaks its format's bounds.
std::string checkLab(std::string_view text);

}  // namespace tilestep::fuzz
