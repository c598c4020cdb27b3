// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilestep {

/// The Levenshtein distance, ignoring case.
[[nodiscard]] size_t editDistance(std::string_view a, std::string_view b);

/// The first candidate that begins with `name`, if `name` has 3 letters or more; otherwise the
/// first candidate at the smallest edit distance. Empty if there are no candidates.
[[nodiscard]] std::string nearestName(std::string_view name,
                                      const std::vector<std::string>& candidates);

/// "a, b and c"; "nothing" if there are no names.
[[nodiscard]] std::string listed(const std::vector<std::string>& names);

/// Like listed(), but only the first 20 names: "a, b, … and 5 more".
[[nodiscard]] std::string listedFirst(std::vector<std::string> names);

/// A C identifier: letters, digits and '_', not starting with a digit, at most 64 long.
[[nodiscard]] bool isIdentifier(std::string_view text);

}  // namespace tilestep
