// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::compile {

/// A whole number in a program's text that determines its launches, its shared arrays or its
/// allocations: a `#define`, a variable that is set only once, or an argument of a kernel template
/// at its launches.
struct TextConstant {
  struct Place {
    size_t begin = 0, end = 0;  ///< The bytes of the number in the text.
  };
  std::string name;  ///< "TILE", "n", "blur<RADIUS>".
  int64_t value = 1;
  uint32_t line = 0;            ///< The line of the first place, from 1.
  std::vector<Place> places;    ///< All places of the number, ascending; at least one.
  std::vector<int64_t> values;  ///< Values worth trying, including `value`, ascending.
};

/// The constants of a text in line order, each name once. Accepts any text. It only reads tokens
/// and does not affect execution: a constant that it misses is merely not offered.
[[nodiscard]] std::vector<TextConstant> textConstants(std::string_view source);

/// The text with another value for that constant.
[[nodiscard]] std::string withValue(std::string_view source, const TextConstant& constant,
                                    int64_t value);

}  // namespace tilestep::compile
