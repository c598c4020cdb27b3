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

/// A kernel whose interface, data and reference come from a separate spec.
struct KernelUnderSpec {
  std::filesystem::path path;  ///< Its stem is the kernel's name.
  compile::Spec spec;
  std::optional<std::string>
      text;  ///< The kernel's source if it is not in a file; otherwise the file is read.
};

/// The kernels that can be chosen: those that come with Tilestep, the user's own and those given by
/// path. One thread only.
class KernelFiles {
 public:
  /// `home` contains kernels/. `ownFolder` contains the user's kernels; empty if there are none.
  KernelFiles(const std::string& home, std::string ownFolder);

  /// Adds a kernel given by path, replacing one of the same name. It is available after the next
  /// read(). Returns its name. A string that is not the path of a kernel is taken as a name and
  /// returned unchanged.
  std::string add(const std::string& nameOrPath);
  /// Adds a kernel with a separate spec, replacing one of the same name. It is available after the
  /// next read().
  void add(KernelUnderSpec kernel);
  /// Adds a launch of a program, replacing one of the same name. It is available after the next
  /// read(). It must have a spec.
  void addLaunch(compile::CatalogueEntry launch);
  /// Removes all launches of this program's file except `butFor`; takes effect with the next
  /// read().
  void removeLaunches(const std::string& path, const std::string& butFor);
  /// Sets whether a kernel that comes with Tilestep takes precedence over a kernel of the same name
  /// given by path. By default it does not. Takes effect with the next read().
  void preferShipped(bool prefer) { prefersShipped_ = prefer; }
  /// Reads all kernels. `functions` maps kernels to the entry function to launch, if one was
  /// chosen.
  void read(const std::map<std::string, std::string>& functions);
  /// Whether a file was added, saved or removed since the last read().
  [[nodiscard]] bool haveChanged() const { return signatureNow() != signature_; }

  [[nodiscard]] const CataloguePointer& catalogue() const { return catalogue_; }
  /// Changes from one read() to the next if a file has changed.
  [[nodiscard]] const std::string& signature() const { return signature_; }
  /// The user's files that are not used because their names are taken (compile::hiddenKernels).
  [[nodiscard]] const Catalogue& hidden() const { return hidden_; }
  /// Files given by path whose name is that of a kernel that comes with Tilestep, but whose source
  /// differs.
  [[nodiscard]] const std::vector<std::filesystem::path>& sameNames() const { return sameNames_; }
  /// See preferShipped().
  [[nodiscard]] bool prefersShipped() const { return prefersShipped_; }
  /// A kernel's current source on disk.
  [[nodiscard]] Result<compile::KernelSource> find(const std::string& nameOrPath) const;
  /// The full path of a kernel that was given by path; otherwise empty.
  [[nodiscard]] std::string fileOf(const std::string& kernel) const;

 private:
  [[nodiscard]] std::string signatureNow() const;
  /// Whether a kernel with the file's name comes with Tilestep and has different source. `source`
  /// is that of the file.
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

/// The absolute path; the unchanged path if the absolute path cannot be determined.
[[nodiscard]] std::string wholePath(const std::filesystem::path& path);

}  // namespace tilestep::model
