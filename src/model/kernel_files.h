// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile/front_matter/spec.h"
#include "model/choice/resolved.h"

namespace tilestep::model {

/// A kernel whose interface, data and reference come from a spec.
struct KernelUnderSpec {
  std::filesystem::path path;  ///< Its stem is the kernel's name.
  compile::Spec spec;
  std::optional<std::string> text;  ///< Set if it is not in a file; otherwise the file is read.
};

/// The kernels that can be chosen: those that come with Tilestep, the user's own and those given by
/// path. For one thread.
class KernelFiles {
 public:
  /// `home` holds kernels/; `ownFolder` holds the user's kernels (empty: there are none).
  KernelFiles(const std::string& home, std::string ownFolder);

  /// Adds a kernel given by its path, replacing one of the same name; it is available after the
  /// next read(). Returns its name. A string that is not a path of a kernel is returned unchanged,
  /// as a name.
  std::string add(const std::string& nameOrPath);
  /// Adds a kernel under a spec, replacing one of the same name; it is available after the next
  /// read().
  void add(KernelUnderSpec kernel);
  /// Adds a launch of a program, replacing one of the same name; it is available after the next
  /// read(). It must have a spec.
  void addLaunch(compile::CatalogueEntry launch);
  /// Removes all launches of this program's file except `butFor`; takes effect with the next
  /// read().
  void removeLaunches(const std::string& path, const std::string& butFor);
  /// Whether a kernel that comes with Tilestep takes precedence over one of the same name given by
  /// path. By default, the one given by path replaces it. Takes effect with the next read().
  void preferShipped(bool prefer) { prefersShipped_ = prefer; }
  /// Reads all kernels. `functions`: by kernel, the entry function to launch, if one was chosen.
  void read(const std::map<std::string, std::string>& functions);
  /// Whether a file was added, saved or removed since the last read().
  [[nodiscard]] bool haveChanged() const { return signatureNow() != signature_; }

  [[nodiscard]] const CataloguePointer& catalogue() const { return catalogue_; }
  /// Changes from one read() to the next if a file has changed.
  [[nodiscard]] const std::string& signature() const { return signature_; }
  /// The user's files that are not used because their names are taken (compile::hiddenKernels).
  [[nodiscard]] const Catalogue& hidden() const { return hidden_; }
  /// Files given by path that have the name of a kernel that comes with Tilestep but a different
  /// text.
  [[nodiscard]] const std::vector<std::filesystem::path>& sameNames() const { return sameNames_; }
  /// See preferShipped().
  [[nodiscard]] bool prefersShipped() const { return prefersShipped_; }
  /// A kernel's present text on disk.
  [[nodiscard]] Result<compile::KernelSource> find(const std::string& nameOrPath) const;
  /// The full path of a kernel that was given by path; otherwise empty.
  [[nodiscard]] std::string fileOf(const std::string& kernel) const;

 private:
  [[nodiscard]] std::string signatureNow() const;
  /// Whether a kernel with the file's name comes with Tilestep and has a different text. `source`:
  /// the file's.
  [[nodiscard]] bool differsFromShipped(const std::filesystem::path& path,
                                        const Result<compile::KernelSource>& source) const;

  std::string folder_, own_;
  std::vector<std::filesystem::path> extra_;  ///< Kernels given by path.
  std::vector<KernelUnderSpec> underSpecs_;
  std::vector<compile::CatalogueEntry> launches_;
  std::string signature_;
  CataloguePointer catalogue_ = std::make_shared<Catalogue>();
  Catalogue hidden_;
  std::vector<std::filesystem::path> sameNames_;
  bool prefersShipped_ = false;
};

/// The absolute path; unchanged if that cannot be determined.
[[nodiscard]] std::string wholePath(const std::filesystem::path& path);

}  // namespace tilestep::model
