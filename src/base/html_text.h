// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep {

/// Escapes text for HTML, between tags and within quoted attributes. It is made `printable` first.
[[nodiscard]] std::string escapedHtml(std::string_view text);

}  // namespace tilestep
