// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// Shared by the tests of pictures and of their texts.
namespace tilestep::tests {

constexpr int kPictureWidth = 1920, kPictureHeight = 1080;

/// docs/screenshots.
[[nodiscard]] std::filesystem::path keptFolder();

/// The names of the shipped lessons, as `tilestep play` accepts them.
[[nodiscard]] std::vector<std::string> lessons();
/// The name reduced to letters, digits and underscores, for the name of a test.
[[nodiscard]] std::string testName(std::string name);

/// A main view: how the window starts, the keys that lead to the view, and how its state file shows
/// that the view is reached.
struct View {
  std::string name;
  std::string kernel;
  std::map<std::string, int64_t> tunables;
  std::vector<std::string> keys;
  std::function<bool(const nlohmann::json&)> shown;
};
[[nodiscard]] const std::vector<View>& views();

}  // namespace tilestep::tests
