// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace tilestep::gfx {

/// The characters of a UTF-8 text. A byte that begins none becomes U+FFFD.
[[nodiscard]] std::vector<char32_t> charactersOf(std::string_view utf8);

}  // namespace tilestep::gfx
