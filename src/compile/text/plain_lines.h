// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::compile {

/// The text with blanks behind a backslash at a line's end taken away, and with a line feed where
/// carriage returns stand before one. Compilers read such lines differently, and editors and copies
/// make them. The number of lines stays.
[[nodiscard]] std::string withPlainLines(std::string_view text);

}  // namespace tilestep::compile
