// SPDX-License-Identifier: Apache-2.0
#include "model/files/damaged_file.h"

#include <string>

namespace tilestep::model {
namespace {

namespace fs = std::filesystem;

constexpr int kMostDamaged = 99;

fs::path nameAside(const fs::path& path) {
  for (int i = 1; i < kMostDamaged; ++i) {
    fs::path aside = path;
    aside.replace_filename(path.stem().string() + ".damaged-" + std::to_string(i) +
                           path.extension().string());
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(aside, failed))) return aside;
  }
  return path.string() + ".damaged";
}

}  // namespace

Result<fs::path> setDamagedAside(const fs::path& path) {
  fs::path aside = nameAside(path);
  std::error_code failed;
  fs::rename(path, aside, failed);
  if (failed) return workError(path.string() + " cannot be renamed (" + failed.message() + ")");
  return aside;
}

std::string placeText(const Error& error) {
  if (!error.where) return {};
  return error.where->file + ":" + std::to_string(error.where->line) +
         (error.sourceLine.empty() ? "" : "\n" + error.sourceLine);
}

}  // namespace tilestep::model
