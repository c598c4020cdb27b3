// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Takes any text as the file of pinned runs. What is accepted comes back when it is written and
/// read again, and can be compared and named. Empty when all holds, else what does not.
std::string checkPins(std::string_view text);

}  // namespace tilestep::fuzz
