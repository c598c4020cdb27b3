// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::compile {

/// A whole number in a program's text that shapes its launches, its shared arrays or the memory
/// that it asks for: of a `#define`, of a variable that is set once, or an argument of a kernel
/// template at its launches.
struct TextConstant {
  struct Place {
    size_t begin = 0, end = 0;  ///< Bytes of the number in the text.
  };
  std::string name;  ///< "TILE", "n", "blur<RADIUS>".
  int64_t value = 1;
  uint32_t line = 0;            ///< Of the first place, from 1.
  std::vector<Place> places;    ///< The places of the number, ascending; at least one.
  std::vector<int64_t> values;  ///< Values worth trying, including `value`, ascending.
};

/// The constants of a text in the order of their lines, each name once. Takes any text. It reads
/// tokens and decides nothing that runs: what it misses is only not offered.
[[nodiscard]] std::vector<TextConstant> textConstants(std::string_view source);

/// The text with another value for that constant of it.
[[nodiscard]] std::string withValue(std::string_view source, const TextConstant& constant,
                                    int64_t value);

}  // namespace tilestep::compile
