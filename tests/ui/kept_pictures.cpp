// SPDX-License-Identifier: Apache-2.0
#include "ui/kept_pictures.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "support/source_root.h"

namespace tilestep::tests {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path keptFolder() {
  return fs::path(support::sourceRoot()) / "docs" / "screenshots";
}

std::vector<std::string> lessons() {
  std::vector<std::string> names;
  for (const auto& entry :
       fs::directory_iterator(fs::path(support::sourceRoot()) / "assets" / "lessons"))
    if (entry.path().extension() == ".md") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string testName(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

namespace {

bool atSecondStep(const json& state) {
  return state.at("step").at("index") == 1;
}

}  // namespace

const std::vector<View>& views() {
  static const std::vector<View> all{
      {"01-opening", "", {}, {}, [](const json&) { return true; }},
      {"02-after-the-space-bar", "", {}, {"space"}, atSecondStep},
      {"03-presentation", "", {}, {"F5"}, [](const json& s) { return s.at("presenting") == true; }},
      {"04-light",
       "",
       {},
       {"space", "t"},
       [](const json& s) { return s.at("theme") == "light" && atSecondStep(s); }},
      {"05-warp-and-banks",
       "matmul_tiled_swapped",
       {{"TILE_WIDTH", 16}},
       {"w", "space"},
       [](const json& s) { return s.at("warp_view") == true && atSecondStep(s); }},
      {"06-phase-table",
       "",
       {},
       {"x"},
       [](const json& s) { return s.at("phase_table").is_object(); }},
  };
  return all;
}

}  // namespace tilestep::tests
