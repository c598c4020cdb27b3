// SPDX-License-Identifier: Apache-2.0
#include "support/toolkit.h"

#include <dlfcn.h>

#include <array>
#include <filesystem>

#include "base/toolkit.h"
#include "support/service.h"
#include "support/skips.h"

namespace tilestep::support {
namespace {

bool isThere(const std::string& path) {
  if (path.find('/') != std::string::npos) return std::filesystem::exists(path);
  void* library = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    return std::string(::dlerror()).find("cannot open shared object file") == std::string::npos;
  }
  ::dlclose(library);
  return true;
}

}  // namespace

std::string toolkitProgram(const std::string& name) {
  const std::array inside{"bin"};
  const std::array names{name.c_str()};
  const Result<std::vector<std::string>> paths = toolkitPaths(inside, names);
  if (!paths) return {};
  for (const std::string& path : *paths) {
    if (path == name) continue;
    if (std::filesystem::exists(path)) return path;
  }
  return findProgram(name);
}

std::optional<std::string> whyNoToolkitLibrary(const std::string& name) {
  const std::string thirteen = name + ".13", twelve = name + ".12", eleven = name + ".11";
  const std::array inside{"lib64", "lib", "extras/CUPTI/lib64"};
  const std::array names{name.c_str(), thirteen.c_str(), twelve.c_str(), eleven.c_str()};
  const Result<std::vector<std::string>> paths = toolkitPaths(inside, names);
  if (!paths) return paths.error().message;
  for (const std::string& path : *paths) {
    if (isThere(path)) return std::nullopt;
  }
  return name + " was not found";
}

std::string skipWithout(const std::string& compiler) {
  if (compiler != "nvrtc") return {};
  const std::optional<std::string> why = whyNoToolkitLibrary("libnvrtc.so");
  return why ? because(kNoToolkit, *why) : "";
}

}  // namespace tilestep::support
