// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Parses any text, analyses what parses, prints it and parses that again. The empty string when
/// all holds, else what does not: a printed module is refused, or is another one.
std::string checkPtx(std::string_view text);

}  // namespace tilestep::fuzz
