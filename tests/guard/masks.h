// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

/// Replaces values that differ between runs or machines before a comparison.
namespace tilestep::tests {

/// Texts and their replacements, such as a folder's path and "(home)".
using Replacements = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] std::string maskedText(std::string text, const Replacements& replacements);
/// Also omits the points of plots.
[[nodiscard]] nlohmann::json maskedState(const std::string& state,
                                         const Replacements& replacements);
/// Masks the numbers of pinned runs and the times at which they were pinned.
[[nodiscard]] std::string maskedPins(const std::string& toml);

}  // namespace tilestep::tests
