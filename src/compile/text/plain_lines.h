// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::compile {

/// The text without blanks after a backslash at a line's end, and without carriage returns before a
/// line feed. Compilers read such lines differently, and editors and copying produce them. The
/// number of lines is unchanged.
[[nodiscard]] std::string withPlainLines(std::string_view text);

}  // namespace tilestep::compile
