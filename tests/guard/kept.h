// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// The stored states and files of gestures, in tests/guard/kept, and their comparison.
namespace tilestep::tests {

/// tests/guard.
[[nodiscard]] std::filesystem::path guardFolder();
/// The names of the scripts in tests/guard/gestures, in order.
[[nodiscard]] std::vector<std::string> gestures();

/// The window's state at one moment of a gesture.
struct Appearance {
  std::string words;  ///< The script's words for the moment.
  nlohmann::json state;
};

/// A gesture's kept looks. A look is stored as the fields in which it differs from the most similar
/// earlier look ("from look 2"), or from a newly opened window, whose complete state is in
/// kept/opened-*.json. "= /step/index 3" sets a field, and "- /step/index" removes it. Empty if the
/// file is missing or invalid.
[[nodiscard]] std::vector<Appearance> keptLooks(const std::string& gesture);
/// Stores a gesture's looks. The first looks of the first two gestures are the opened windows.
void keepLooks(const std::string& gesture, const std::vector<Appearance>& looks);

/// The differences between two states, one per line: the field, its kept value and its present
/// value. Empty if there are none.
[[nodiscard]] std::string differencesOf(const nlohmann::json& kept, const nlohmann::json& now);
/// The first lines that differ between two texts. Empty if there are none.
[[nodiscard]] std::string differencesOf(const std::string& kept, const std::string& now);

/// The lines of kept/BASE that `text` does not have, after "- ", then the lines that only `text`
/// has, after "+ ".
[[nodiscard]] std::string changedLines(const std::string& base, const std::string& text);
/// Compares `text` with kept/FILE, or stores it there. Returns the differences.
[[nodiscard]] std::string compareOrKeep(const std::string& file, const std::string& text);

}  // namespace tilestep::tests
