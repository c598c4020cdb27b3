// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace tilestep::model {

/// A position in a file. Line and column count from 1; columns count characters.
struct TextPlace {
  int line = 1, column = 1;
  bool operator==(const TextPlace&) const = default;
};

/// The position in `text` of byte `at` of a TOML value that begins at `start`, taking quotes and
/// escapes into account. If the value has no quotes, the position of its beginning.
[[nodiscard]] TextPlace placeInToml(std::string_view text, const TextPlace& start, size_t at);

}  // namespace tilestep::model
