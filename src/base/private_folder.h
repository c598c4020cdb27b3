// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "base/descriptor.h"

namespace tilestep {

/// A temporary folder that only this user can read. The destructor removes it with its contents.
/// sweepPrivateFolders() recognizes it by a marker file.
class PrivateFolder {
 public:
  /// If the folder cannot be created, the path is empty.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// A sentence that says why the folder could not be created and what to do; otherwise empty.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  std::filesystem::path path_;
  std::string trouble_;
  Descriptor lock_;  ///< Shows other processes that the folder is in use.
};

/// Removes the private folders that killed processes of this user left behind. A folder is removed
/// only if it is not in use, has not changed for ten minutes, and contains nothing but our marker
/// file and inputs and outputs of compilers.
void sweepPrivateFolders();

}  // namespace tilestep
