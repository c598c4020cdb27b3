// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilestep {

struct TomlTooDeep {
  const char* what = nullptr;  ///< A part of a sentence.
  uint32_t line = 0, column = 0;
};

/// The first place of a TOML text at which tables and lists are nested so deeply that toml++,
/// which recurses for each level, could overflow the stack. Nothing: it is safe to parse.
[[nodiscard]] std::optional<TomlTooDeep> whereTooDeep(std::string_view text);

}  // namespace tilestep
