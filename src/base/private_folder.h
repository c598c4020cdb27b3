// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "base/descriptor.h"

namespace tilestep {

/// A folder that only this user can read; removed with its contents. It contains a mark, by which
/// sweepPrivateFolders() recognizes it.
class PrivateFolder {
 public:
  /// The path is empty if none could be made.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Why there is none, and what to do about it, in a sentence; otherwise empty.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  std::filesystem::path path_;
  std::string trouble_;
  Descriptor lock_;  ///< Shows others that it is in use.
};

/// Removes the private folders that killed processes of this user left behind: those that are not
/// in use, that were not changed for ten minutes, and that hold our mark and nothing but inputs and
/// outputs of compilers. Any other folder stays, whatever its name.
void sweepPrivateFolders();

}  // namespace tilestep
