// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilestep::model {

/// Pictures of one page, with common parts stored once.
struct SharedParts {
  std::string definitions;        ///< An `svg` element without a size; empty if nothing is shared.
  std::vector<std::string> svgs;  ///< The pictures, which refer to `definitions`.
};

/// Stores common parts only once, because consecutive steps have nearly the same pictures. `svgs`
/// are `svg` elements with one shape per line. Runs of lines that occur more than once, in one
/// picture or in several, are moved to the definitions. Lines that refer to an id remain in place.
[[nodiscard]] SharedParts shareParts(const std::vector<std::string_view>& svgs);

}  // namespace tilestep::model
