// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::compile {

/// The program's text without comments, blanks and the bodies of functions for the device: two
/// texts with the same part differ in device code alone. Takes any text.
[[nodiscard]] std::string hostPart(std::string_view source);

}  // namespace tilestep::compile
