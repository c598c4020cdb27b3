// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep {

/// Applies printable(), then escapes the text for HTML, both between tags and in quoted attributes.
[[nodiscard]] std::string escapedHtml(std::string_view text);

}  // namespace tilestep
