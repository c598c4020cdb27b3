// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// What gestures left when they were kept, in tests/guard/kept, and how it is compared.
namespace tilestep::tests {

/// tests/guard.
[[nodiscard]] std::filesystem::path guardFolder();
/// The names of the scripts in tests/guard/gestures, in order.
[[nodiscard]] std::vector<std::string> gestures();

/// The window's state at one moment of a gesture.
struct Appearance {
  std::string words;  ///< When, as the script has it.
  nlohmann::json state;
};

/// A gesture's looks as they were kept: of each what differs from the nearest of those before it
/// ("from look 2"), or from a window that has just opened, which lies whole in kept/opened-*.json.
/// A line is a difference: "= /step/index 3" for another value, "+" for an added and "-" for a
/// removed one, in the order of RFC 6902; a path with no slash before it goes on from the last line
/// "at /roofline/points". Nothing where there is no such file, or it does not fit.
[[nodiscard]] std::vector<Appearance> keptLooks(const std::string& gesture);
/// The opened windows are the first looks of the first two gestures.
void keepLooks(const std::string& gesture, const std::vector<Appearance>& looks);

/// What differs between two states, a line each: where, what was kept, what is there now. Empty
/// where nothing does.
[[nodiscard]] std::string differencesOf(const nlohmann::json& kept, const nlohmann::json& now);
/// The first lines that differ between two texts. Empty where none does.
[[nodiscard]] std::string differencesOf(const std::string& kept, const std::string& now);

/// Compares `text` with kept/FILE, or keeps it. Empty, or what is wrong.
[[nodiscard]] std::string compareOrKeep(const std::string& file, const std::string& text);

}  // namespace tilestep::tests
