// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/clang_files.h"

#include <algorithm>

#include "base/files.h"

namespace tilestep::compile {
namespace fs = std::filesystem;
namespace {

bool isIn(const fs::path& file, const fs::path& folder) {
  if (folder.empty()) return false;
  const auto end = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first;
  return end == folder.end();
}

}  // namespace

std::vector<std::string> dependenciesIn(std::string_view rule) {
  std::vector<std::string> files;
  std::string name;
  const auto end = [&] {
    if (!name.empty()) files.push_back(std::move(name));
    name.clear();
  };
  // The target ends at the first colon that is followed by a blank.
  size_t at = 0;
  while (at + 1 < rule.size() &&
         !(rule[at] == ':' && (rule[at + 1] == ' ' || rule[at + 1] == '\n')))
    ++at;
  for (++at; at < rule.size(); ++at) {
    const char c = rule[at];
    const char next = at + 1 < rule.size() ? rule[at + 1] : '\0';
    if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      name += next;
      ++at;
    } else if (c == '\\' && next == '\n') {
      end();
      ++at;
    } else if (c == '$' && next == '$') {
      name += c;
      ++at;
    } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      end();
    } else {
      name += c;
    }
  }
  end();
  return files;
}

std::optional<std::string> foreignFile(const fs::path& file, const std::vector<fs::path>& folders) {
  const auto rule = readTextFile(file);
  if (!rule) return file.string();
  std::vector<fs::path> own;
  std::error_code ignored;
  for (const fs::path& folder : folders) own.push_back(fs::weakly_canonical(folder, ignored));
  for (const std::string& name : dependenciesIn(*rule)) {
    const fs::path read = fs::weakly_canonical(name, ignored);
    const bool isOwn =
        std::ranges::any_of(own, [&](const fs::path& folder) { return isIn(read, folder); });
    if (!isOwn) return name;
  }
  return std::nullopt;
}

}  // namespace tilestep::compile
