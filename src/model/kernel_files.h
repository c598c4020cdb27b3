// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "model/choice/resolved.h"

namespace tilestep::model {

/// The kernels that can be chosen: those of the folder kernels/ and those that were given by their
/// paths. One thread.
class KernelFiles {
 public:
  explicit KernelFiles(const std::string& home);

  /// A kernel's path joins them, in the place of one of the same name; it is there once they are
  /// read. Returns its name; what is no path of a kernel is a name itself, and returned.
  std::string add(const std::string& nameOrPath);
  /// Reads all of them. `functions`: by kernel, which of its file's functions is launched, where
  /// that was chosen.
  void read(const std::map<std::string, std::string>& functions);
  /// Whether a file was added, saved or removed since they were read.
  [[nodiscard]] bool haveChanged() const { return signatureNow() != signature_; }

  [[nodiscard]] const CataloguePointer& catalogue() const { return catalogue_; }
  /// Differs from one reading to the next where a file does.
  [[nodiscard]] const std::string& signature() const { return signature_; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// The whole path of a kernel that was given by its path; else empty.
  [[nodiscard]] std::string fileOf(const std::string& kernel) const;

 private:
  [[nodiscard]] std::string signatureNow() const;

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> extra_;  ///< Given by their paths.
  std::string signature_;
  CataloguePointer catalogue_ = std::make_shared<Catalogue>();
};

/// The path from the root of the file system; as it is where that cannot be told.
[[nodiscard]] std::string wholePath(const std::filesystem::path& path);

}  // namespace tilestep::model
