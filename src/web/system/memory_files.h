// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::web {

/// A tree of files in memory. Paths are absolute; "." and ".." are resolved. A folder exists if it
/// was made or if a file is in it.
class MemoryFiles {
 public:
  void put(const std::filesystem::path& path, std::string content);
  void makeFolder(const std::filesystem::path& path);
  /// Removes a file, or a folder with all of its content. Returns the number of removed entries.
  size_t remove(const std::filesystem::path& path);
  /// Null if there is no such file. Valid until the file is changed.
  [[nodiscard]] const std::string* find(const std::filesystem::path& path) const;
  [[nodiscard]] bool isFolder(const std::filesystem::path& path) const;
  /// The folder's files and folders, sorted by name.
  [[nodiscard]] std::vector<std::filesystem::path> entriesOf(
      const std::filesystem::path& folder) const;

 private:
  using Entry = std::optional<std::string>;  ///< A file's content; absent for a folder.
  std::map<std::string, Entry, std::less<>> entries_;
};

/// The files that the standard library's stand-in and base/files.h work on. Like the file system of
/// a machine, there is one.
[[nodiscard]] MemoryFiles& memoryFiles();

}  // namespace tilestep::web
