// SPDX-License-Identifier: Apache-2.0
#include "program/build_cache.h"

#include <unistd.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/files.h"
#include "base/hash.h"

namespace tilestep::program {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostEntries = 64;
constexpr size_t kLongestFile = size_t{64} << 20;

/// Empty if the file cannot be read.
std::string hashOf(const std::string& file) {
  const Result<std::string> text = readTextFile(file, kLongestFile);
  return text ? hex64(fnv1a64(*text)) : std::string();
}

void dropOldest(const fs::path& folder) {
  std::error_code failure;
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  for (const auto& entry : fs::directory_iterator(folder, failure))
    entries.emplace_back(entry.last_write_time(failure), entry.path());
  if (entries.size() <= kMostEntries) return;
  std::ranges::sort(entries);
  for (size_t i = 0; i < entries.size() - kMostEntries; ++i)
    fs::remove_all(entries[i].second, failure);
}

}  // namespace

BuildCache::BuildCache(const fs::path& folder) {
  if (!folder.empty()) folder_ = folder / "programs";
}

fs::path BuildCache::entryOf(const std::string& key) const {
  return folder_ / hex64(fnv1a64(key));
}

std::optional<fs::path> BuildCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const fs::path entry = entryOf(key);
  const Result<std::string> list = readTextFile(entry / "files");
  if (!list) return std::nullopt;
  std::istringstream lines(*list);
  std::string line, asked;
  // The key comes first, because two keys may have the same hash.
  if (!std::getline(lines, asked) || asked != hex64(fnv1a64(key + "again"))) return std::nullopt;
  while (std::getline(lines, line)) {
    const size_t space = line.find(' ');
    if (space == std::string::npos || hashOf(line.substr(space + 1)) != line.substr(0, space))
      return std::nullopt;
  }
  const fs::path program = entry / "program";
  return access(program.c_str(), X_OK) == 0 ? std::optional(program) : std::nullopt;
}

void BuildCache::keep(const std::string& key, const fs::path& program,
                      const std::vector<std::string>& files) const {
  if (folder_.empty() || !makeOwnFolder(folder_.parent_path())) return;
  std::string list = hex64(fnv1a64(key + "again")) + "\n";
  for (const std::string& file : std::set<std::string>(files.begin(), files.end())) {
    const std::string hash = hashOf(file);
    // If a file has disappeared, or its name contains a line break, the list cannot be used.
    if (hash.empty() || file.find('\n') != std::string::npos) return;
    list += hash + " " + file + "\n";
  }
  std::error_code failure;
  const fs::path entry = entryOf(key), fresh = entry.string() + "." + std::to_string(getpid());
  fs::create_directories(fresh, failure);
  fs::copy_file(program, fresh / "program", failure);
  const bool written = !failure && writeFileAtomically(fresh / "files", list).ok();
  if (written) {
    fs::remove_all(entry, failure);
    fs::rename(fresh, entry, failure);
  }
  if (!written || failure) fs::remove_all(fresh, failure);
  dropOldest(folder_);
}

}  // namespace tilestep::program
