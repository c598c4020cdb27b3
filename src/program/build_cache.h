// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilestep::program {

/// Programs that were built before, in a folder of ours. One is found by what it was asked for, and
/// used only where every file that the compilers read for it still has the same content. The newest
/// are kept. Several processes may use one folder.
class BuildCache {
 public:
  /// An empty folder: nothing is kept.
  explicit BuildCache(const std::filesystem::path& folder);

  /// The executable that was built for `key`; nothing where there is none, or a file changed.
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& key) const;
  /// Keeps a copy of `program`, which was made of `files`. What cannot be kept is left out.
  void keep(const std::string& key, const std::filesystem::path& program,
            const std::vector<std::string>& files) const;

 private:
  [[nodiscard]] std::filesystem::path entryOf(const std::string& key) const;
  std::filesystem::path folder_;
};

}  // namespace tilestep::program
