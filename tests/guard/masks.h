// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

/// Before anything is compared, values that differ between runs or machines are replaced.
namespace tilestep::tests {

/// Texts and what stands for them, such as a folder's path and "(home)".
using Replacements = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] std::string maskedText(std::string text, const Replacements& replacements);
/// Also leaves out the points of plots.
[[nodiscard]] nlohmann::json maskedState(const std::string& state,
                                         const Replacements& replacements);
/// Masks the numbers of pinned runs and when they were pinned.
[[nodiscard]] std::string maskedPins(const std::string& toml);

}  // namespace tilestep::tests
