// SPDX-License-Identifier: Apache-2.0
// base/files.h for the files in memory.
#include "base/files.h"

#include <algorithm>

#include "web/system/memory_files.h"

namespace tilestep {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

Result<const std::string*> contentOf(const fs::path& path) {
  if (const std::string* content = web::memoryFiles().find(path)) return content;
  if (web::memoryFiles().isFolder(path))
    return requestError(path.string() + " is a folder or a device, not a file");
  return requestError("there is no file " + path.string());
}

}  // namespace

Result<std::string> readFileStart(const fs::path& path, size_t maxBytes) {
  const Result<const std::string*> content = contentOf(path);
  if (!content) return content.error();
  return (*content)->substr(0, maxBytes);
}

Result<std::string> readTextFile(const fs::path& path, size_t maxBytes) {
  const Result<const std::string*> content = contentOf(path);
  if (!content) return content.error();
  const std::string& text = **content;
  if (text.size() > maxBytes) {
    return requestError(path.string() + " has " + std::to_string(text.size()) + " bytes; at most " +
                        std::to_string(maxBytes) + " are read");
  }
  return text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
}

Result<std::string> readTextFileBelow(const fs::path& folder, const fs::path& below,
                                      size_t maxBytes) {
  return readTextFile(folder / below, maxBytes);
}

Result<std::string> textIfThere(const fs::path& path) {
  if (!fs::exists(path)) return std::string();
  return readTextFile(path);
}

Status replaceFile(const fs::path& path, std::string_view content) {
  web::memoryFiles().put(path, std::string(content));
  return {};
}

Status writeFileAtomically(const fs::path& path, std::string_view content) {
  return replaceFile(path, content);
}

bool makeOwnFolder(const fs::path& folder) {
  web::memoryFiles().makeFolder(folder);
  return true;
}

fs::path programPath() {
  return {};
}

std::vector<fs::path> filesIn(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> files = web::memoryFiles().entriesOf(folder);
  std::erase_if(files, [&](const fs::path& file) { return file.extension() != ending; });
  return files;
}

Result<fs::path> findHome() {
  return fs::path("/");
}

// Nothing is kept in files between visits of the page.
fs::path cacheFolder() {
  return {};
}
fs::path stateFolder() {
  return {};
}
fs::path dataFolder() {
  return {};
}

}  // namespace tilestep
