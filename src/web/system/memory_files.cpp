// SPDX-License-Identifier: Apache-2.0
#include "web/system/memory_files.h"

#include <utility>

namespace tilestep::web {
namespace {

/// The path from the root without a slash at its end: "/kernels/matmul.cu"; empty for the root.
std::string keyOf(const std::filesystem::path& path) {
  std::string key = std::filesystem::absolute(path).string();
  while (key.ends_with('/')) key.pop_back();
  return key;
}

}  // namespace

void MemoryFiles::put(const std::filesystem::path& path, std::string content) {
  makeFolder(path.parent_path());
  entries_[keyOf(path)] = std::move(content);
}

void MemoryFiles::makeFolder(const std::filesystem::path& path) {
  for (std::string key = keyOf(path); !key.empty(); key.erase(key.rfind('/')))
    entries_.try_emplace(key);
}

size_t MemoryFiles::remove(const std::filesystem::path& path) {
  const std::string key = keyOf(path);
  const size_t removed = entries_.erase(key);
  const std::string inside = key + "/";
  return removed + std::erase_if(entries_, [&](const auto& entry) {
           return entry.first.starts_with(inside);
         });
}

const std::string* MemoryFiles::find(const std::filesystem::path& path) const {
  const auto at = entries_.find(keyOf(path));
  return at != entries_.end() && at->second ? &*at->second : nullptr;
}

bool MemoryFiles::isFolder(const std::filesystem::path& path) const {
  const std::string key = keyOf(path);
  const auto at = entries_.find(key);
  return key.empty() || (at != entries_.end() && !at->second);
}

std::vector<std::filesystem::path> MemoryFiles::entriesOf(
    const std::filesystem::path& folder) const {
  std::vector<std::filesystem::path> found;
  const std::string inside = keyOf(folder) + "/";
  for (auto at = entries_.lower_bound(inside);
       at != entries_.end() && at->first.starts_with(inside); ++at)
    if (at->first.find('/', inside.size()) == std::string::npos) found.emplace_back(at->first);
  return found;
}

MemoryFiles& memoryFiles() {
  static MemoryFiles files;
  return files;
}

}  // namespace tilestep::web
