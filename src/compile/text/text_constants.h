// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::compile {

/// An integer in a program's source that affects launches, shared arrays or allocations: a
/// `#define`, a variable that is set only once, or a template argument of launches.
struct TextConstant {
  struct Place {
    size_t begin = 0, end = 0;  ///< The bytes of the number in the source.
  };
  std::string name;  ///< "TILE", "n", "blur<RADIUS>".
  int64_t value = 1;
  uint32_t line = 0;            ///< The line of the first place, from 1.
  std::vector<Place> places;    ///< All places of the number, ascending; at least one.
  std::vector<int64_t> values;  ///< Values worth trying, including `value`, ascending.
};

/// The constants of a source in the order of their lines; each name occurs once. Only reads tokens,
/// so it may miss constants; these are then not offered.
[[nodiscard]] std::vector<TextConstant> textConstants(std::string_view source);

/// The source with another value for the constant.
[[nodiscard]] std::string withValue(std::string_view source, const TextConstant& constant,
                                    int64_t value);

}  // namespace tilestep::compile
