// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Takes any text as a lesson. What is accepted has steps whose texts are filled in, and questions
/// that take any answer. Empty when all holds, else what does not.
std::string checkLesson(std::string_view text);

}  // namespace tilestep::fuzz
