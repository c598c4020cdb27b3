// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::compile {

/// Removes blanks after a backslash at the end of a line, and carriage returns before a line feed.
/// Editors and copying cause such lines, which compilers read differently. Keeps line numbers.
[[nodiscard]] std::string withPlainLines(std::string_view text);

}  // namespace tilestep::compile
