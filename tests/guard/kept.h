// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// The kept states and files of gestures, in tests/guard/kept, and their comparison.
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

/// A gesture's kept looks: each as the fields in which it differs from the most similar look before
/// it ("from look 2"), or from a window that has just opened, which is whole in kept/opened-*.json.
/// "= /step/index 3" sets a field, and "- /step/index" removes it. Empty where the file is missing
/// or does not fit.
[[nodiscard]] std::vector<Appearance> keptLooks(const std::string& gesture);
/// The opened windows are the first looks of the first two gestures.
void keepLooks(const std::string& gesture, const std::vector<Appearance>& looks);

/// The differences between two states, one a line: the field, its kept and its present value. Empty
/// where there are none.
[[nodiscard]] std::string differencesOf(const nlohmann::json& kept, const nlohmann::json& now);
/// The first lines that differ between two texts. Empty where there are none.
[[nodiscard]] std::string differencesOf(const std::string& kept, const std::string& now);

/// The lines of kept/BASE that `text` lacks, each after "- ", and then its own after "+ ".
[[nodiscard]] std::string changedLines(const std::string& base, const std::string& text);
/// Compares `text` with kept/FILE, or keeps it. Gives the differences, or nothing.
[[nodiscard]] std::string compareOrKeep(const std::string& file, const std::string& text);

}  // namespace tilestep::tests
