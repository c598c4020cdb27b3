// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Takes any text as the window's state. What is accepted comes back when it is written and read
/// again. Empty when all holds, else what does not.
std::string checkSaved(std::string_view text);

}  // namespace tilestep::fuzz
