// SPDX-License-Identifier: Apache-2.0
#include "base/toolkit.h"

#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace tilestep {
namespace {

namespace fs = std::filesystem;

/// The folder of the libnvrtc that this process has loaded; empty if it has none.
std::string nvrtcFolder() {
  std::string folder;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        const std::string_view path = info->dlpi_name;
        const size_t name = path.rfind("/libnvrtc.so");
        if (name == std::string_view::npos) return 0;
        *static_cast<std::string*>(out) = path.substr(0, name);
        return 1;
      },
      &folder);
  return folder;
}

/// {13, 0} of "cuda-13.0", up to the first part that is not a number.
std::vector<int> versionOf(std::string_view name) {
  std::vector<int> numbers;
  name.remove_prefix(std::min(name.find('-'), name.size()));
  while (!name.empty()) {
    name.remove_prefix(1);  // The dash or the dot.
    int number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (problem != std::errc()) break;
    numbers.push_back(number);
    name.remove_prefix(static_cast<size_t>(end - name.data()));
    if (!name.starts_with('.')) break;
  }
  return numbers;
}

bool isNewer(const fs::path& one, const fs::path& other) {
  const std::string name = one.filename().string(), otherName = other.filename().string();
  const std::vector<int> version = versionOf(name), otherVersion = versionOf(otherName);
  return version != otherVersion ? version > otherVersion : name > otherName;
}

/// Each folder ends with a slash, except the empty string, for which the loader searches.
std::vector<std::string> foldersOf(std::span<const char* const> inside) {
  std::vector<std::string> folders;
  const auto addToolkit = [&](const fs::path& toolkit) {
    for (const char* folder : inside) folders.push_back((toolkit / folder).string() + "/");
  };
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') addToolkit(value);
  }
  if (const std::string beside = nvrtcFolder(); !beside.empty()) {
    folders.push_back(beside + "/");
    addToolkit(fs::path(beside).parent_path());
  }
  folders.emplace_back();
  for (const std::string& toolkit : toolkitsIn("/usr/local")) addToolkit(toolkit);
  return folders;
}

}  // namespace

std::vector<std::string> toolkitsIn(const std::string& folder) {
  std::vector<fs::path> others;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with("cuda-")) others.push_back(entry.path());
  }
  std::sort(others.begin(), others.end(), isNewer);
  std::vector<std::string> toolkits{(fs::path(folder) / "cuda").string()};
  for (const fs::path& other : others) toolkits.push_back(other.string());
  return toolkits;
}

Result<bool> isToolkitHidden() {
  const char* variable = std::getenv("TILESTEP_TOOLKIT");
  const std::string_view value = variable != nullptr ? variable : "";
  if (value.empty()) return false;
  if (value == "none") return true;
  return requestError("TILESTEP_TOOLKIT is " + std::string(value) +
                      "; set it to none, which hides the CUDA Toolkit, or unset it");
}

Result<std::vector<std::string>> toolkitPaths(std::span<const char* const> inside,
                                              std::span<const char* const> names) {
  const Result<bool> hidden = isToolkitHidden();
  if (!hidden) return hidden.error();
  if (*hidden) return requestError("TILESTEP_TOOLKIT=none hides the CUDA Toolkit");
  std::vector<std::string> paths;
  for (const std::string& folder : foldersOf(inside)) {
    for (const char* name : names) paths.push_back(folder + name);
  }
  return paths;
}

}  // namespace tilestep
