// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/toolkit_paths.h"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string_view>

namespace tilestep::cuda {
namespace {

namespace fs = std::filesystem;

/// Of a loaded libnvrtc; empty where this process has none.
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

/// /usr/local/cuda first, then /usr/local/cuda-13.0 and the like, the newest first.
std::vector<fs::path> installedToolkits() {
  std::vector<fs::path> others;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/local", ignored)) {
    if (entry.path().filename().string().starts_with("cuda-")) others.push_back(entry.path());
  }
  std::sort(others.begin(), others.end(), std::greater<>());
  others.insert(others.begin(), "/usr/local/cuda");
  return others;
}

}  // namespace

std::vector<std::string> toolkitLibraryPaths(std::span<const char* const> inside,
                                             std::span<const char* const> names) {
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
  folders.emplace_back();  // The loader's own search.
  for (const fs::path& toolkit : installedToolkits()) addToolkit(toolkit);
  std::vector<std::string> paths;
  for (const std::string& folder : folders) {
    for (const char* name : names) paths.push_back(folder + name);
  }
  return paths;
}

std::string packageRelease(int driverVersion) {
  return std::to_string(driverVersion / 1000) + "-" + std::to_string(driverVersion % 1000 / 10);
}

}  // namespace tilestep::cuda
