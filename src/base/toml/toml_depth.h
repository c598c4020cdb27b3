// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilestep {

struct TomlTooDeep {
  const char* what = nullptr;  ///< The problem, as part of a sentence.
  uint32_t line = 0, column = 0;
};

/// The first position at which tables and lists are nested so deeply that toml++, which recurses
/// for each level, could overflow the stack. Nothing if the text is safe to parse.
[[nodiscard]] std::optional<TomlTooDeep> whereTooDeep(std::string_view text);

}  // namespace tilestep
