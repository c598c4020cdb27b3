// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilestep::program {

/// Previously built programs, in Tilestep's own folder. A program is found by its build request,
/// and used only if every file that the compilers read for it is unchanged. The newest programs are
/// kept. Several processes may use one folder.
class BuildCache {
 public:
  /// If `folder` is empty, nothing is kept.
  explicit BuildCache(const std::filesystem::path& folder);

  /// The executable that was built for `key`; nothing if it is missing, or if a file changed.
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& key) const;
  /// Keeps a copy of `program`, which was built from `files`. Failures are ignored.
  void keep(const std::string& key, const std::filesystem::path& program,
            const std::vector<std::string>& files) const;

 private:
  [[nodiscard]] std::filesystem::path entryOf(const std::string& key) const;
  std::filesystem::path folder_;
};

}  // namespace tilestep::program
