// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "base/descriptor.h"

namespace tilestep {

/// A folder that only this user can read; removed with all it holds. It holds a mark, by which
/// sweepPrivateFolders() recognizes it.
class PrivateFolder {
 public:
  /// Its path is empty where none could be made.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Why there is none, and what to do about it, in a sentence; else empty.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  std::filesystem::path path_;
  std::string trouble_;
  Descriptor lock_;  ///< Tells others that it is in use.
};

/// Removes the private folders of this user that processes left behind when they were killed: those
/// that nobody uses, that were not changed for ten minutes, and that hold our mark and nothing but
/// files as compilers are given and leave them. Any other folder stays as it is, whatever its name.
void sweepPrivateFolders();

}  // namespace tilestep
