// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilestep::model {

/// Pictures of one page whose equal parts are written once.
struct SharedParts {
  std::string definitions;        ///< An `svg` element without a size; empty: nothing is shared.
  std::vector<std::string> svgs;  ///< The pictures, which refer to it.
};

/// Steps that follow one another have nearly the same pictures. `svgs`: `svg` elements with one
/// shape a line. Runs of lines that several pictures have, or one has several times, are moved to
/// the definitions. Lines that refer to an id stay where they are.
[[nodiscard]] SharedParts shareParts(const std::vector<std::string_view>& svgs);

}  // namespace tilestep::model
