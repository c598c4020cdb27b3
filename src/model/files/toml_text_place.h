// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace tilestep::model {

/// A place in a file, both counted from 1; columns in characters.
struct TextPlace {
  int line = 1, column = 1;
  bool operator==(const TextPlace&) const = default;
};

/// Where byte `at` of a value stands in `text`, whose TOML value begins at `start`: behind its
/// quotes and its escapes. A value that is not in quotes has its own beginning alone.
[[nodiscard]] TextPlace placeInToml(std::string_view text, const TextPlace& start, size_t at);

}  // namespace tilestep::model
