// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Takes any text as an exercise. Empty when all holds, else what does not: a refusal without a
/// reason, an exercise that breaks its format's bounds, a launch that is not legal.
std::string checkExercise(std::string_view text);

}  // namespace tilestep::fuzz
