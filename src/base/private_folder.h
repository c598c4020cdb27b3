// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tilestep {

/// A folder that only this user can read; removed with all it holds.
class PrivateFolder {
 public:
  /// Its path is empty where none could be made.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tilestep
