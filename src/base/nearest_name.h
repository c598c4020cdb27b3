// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilestep {

/// Letters to insert, delete or change to turn one text into the other (Levenshtein), case ignored.
[[nodiscard]] size_t editDistance(std::string_view a, std::string_view b);

/// The first candidate that begins with `name` (3 letters or more), otherwise the nearest one, the
/// first of equals; empty if there are none.
[[nodiscard]] std::string nearestName(std::string_view name,
                                      const std::vector<std::string>& candidates);

/// "a, b and c"; "nothing" if empty.
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

/// The first 20 of many: "a, b, … and 5 more".
[[nodiscard]] std::string listedFirst(std::vector<std::string> names);

/// A C identifier: letters, digits and '_', not starting with a digit, at most 64 long.
[[nodiscard]] bool isIdentifier(std::string_view text);

}  // namespace tilestep
