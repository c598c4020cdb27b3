// SPDX-License-Identifier: Apache-2.0
#include "features/program/drafts.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/files.h"
#include "base/hash.h"

namespace tilestep::features {
namespace {

constexpr const char* kRecent = "recent";
constexpr const char* kHints = "kernel-hints-only";
constexpr size_t kMostRecent = 10;
constexpr const char* kMarks = "marks";
constexpr const char* kBase = "base";
constexpr size_t kMostMarks = 50;

/// Replaces the file without waiting for the disk, because each typed character would wait if the
/// home folder is on a network. A draft need not survive a power failure. The folder is private.
Status writeQuickly(const std::filesystem::path& file, const std::string& text) {
  const std::filesystem::path fresh = file.string() + ".new";
  {
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out << text;
    if (!out.flush()) return workError(file.string() + " cannot be written");
  }
  std::error_code failed;
  std::filesystem::rename(fresh, file, failed);
  if (failed) return workError(file.string() + " cannot be written: " + failed.message());
  return {};
}

/// Removes all variants except the `most` newest.
void leaveNewest(const std::filesystem::path& folder, size_t most) {
  namespace fs = std::filesystem;
  std::vector<std::pair<fs::file_time_type, fs::path>> variants;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    std::error_code gone;
    if (at->path().filename().string().starts_with("run-"))
      variants.emplace_back(at->last_write_time(gone), at->path());
  }
  if (variants.size() <= most) return;
  std::ranges::sort(variants);
  for (size_t i = 0; i + most < variants.size(); ++i) fs::remove_all(variants[i].second, failed);
}

}  // namespace

Drafts::Drafts(const std::filesystem::path& folder)
    : own_(folder.empty() ? std::make_unique<PrivateFolder>() : nullptr),
      folder_(own_ ? own_->path() : folder) {}

std::filesystem::path Drafts::fileOf(const std::filesystem::path& program) const {
  const std::string path = program.string();
  // The names match ours, because a private folder with any other name is not deleted.
  return folder_ / ("kernel-" + hex64(fnv1a64(path))) / program.filename();
}

std::string Drafts::baseOf(const std::string& saved) {
  return hex64(fnv1a64(saved));
}

std::optional<Drafts::Kept> Drafts::find(const std::filesystem::path& program) const {
  if (folder_.empty()) return std::nullopt;
  const std::filesystem::path file = fileOf(program);
  const Result<std::string> text = readTextFile(file);
  if (!text) return std::nullopt;
  const Result<std::string> base = readTextFile(file.parent_path() / kBase);
  return Kept{*text, base ? *base : std::string()};
}

Status Drafts::keep(const std::filesystem::path& program, const std::string& text,
                    const std::string& saved) const {
  if (folder_.empty()) return workError(own_ ? own_->trouble() : "there is no folder for it");
  const std::filesystem::path file = fileOf(program);
  if (!makeOwnFolder(folder_) || !makeOwnFolder(file.parent_path()))
    return workError("the folder " + file.parent_path().string() + " cannot be written to");
  if (Status base = writeQuickly(file.parent_path() / kBase, baseOf(saved)); !base) return base;
  return writeQuickly(file, text);
}

Result<std::filesystem::path> Drafts::variantOf(const std::filesystem::path& program,
                                                const std::string& text) const {
  constexpr size_t kMost = 32;
  if (folder_.empty()) return workError(own_ ? own_->trouble() : "there is no folder for it");
  const std::filesystem::path folder = fileOf(program).parent_path();
  const std::filesystem::path own = folder / ("run-" + hex64(fnv1a64(text)));
  if (!makeOwnFolder(folder_) || !makeOwnFolder(folder) || !makeOwnFolder(own))
    return workError("the folder " + own.string() + " cannot be written to");
  const std::filesystem::path file = own / program.filename();
  std::error_code ignored;
  // The folder's name is a hash of the content, so an existing file is up to date.
  if (std::filesystem::exists(file, ignored)) return file;
  if (const Status written = writeQuickly(file, text); !written) return written.error();
  leaveNewest(folder, kMost);
  return file;
}

void Drafts::remove(const std::filesystem::path& program) const {
  if (folder_.empty()) return;
  std::error_code ignored;
  const std::filesystem::path file = fileOf(program);
  std::filesystem::remove(file, ignored);
}

Drafts::Marks Drafts::marks(const std::filesystem::path& program) const {
  Marks all;
  if (own_) return all;
  const std::filesystem::path folder = fileOf(program).parent_path();
  const Result<std::string> list = readTextFile(folder / kMarks, size_t{1} << 16);
  if (!list) return all;
  std::istringstream names(*list);
  size_t number = 0;
  for (std::string name; std::getline(names, name) && number < kMostMarks; ++number) {
    const Result<std::string> text = readTextFile(folder / ("mark-" + std::to_string(number)));
    if (text && !name.empty()) all.emplace_back(name, std::make_shared<const std::string>(*text));
  }
  return all;
}

void Drafts::keepMarks(const std::filesystem::path& program, const Marks& marks) const {
  const std::filesystem::path folder = fileOf(program).parent_path();
  if (own_ || !makeOwnFolder(folder_) || !makeOwnFolder(folder)) return;
  std::string names;
  const size_t first = marks.size() - std::min(marks.size(), kMostMarks);  // The newest.
  for (size_t i = first; i < marks.size(); ++i) {
    names += marks[i].first + "\n";
    static_cast<void>(
        replaceFile(folder / ("mark-" + std::to_string(i - first)), *marks[i].second));
  }
  static_cast<void>(replaceFile(folder / kMarks, names));
}

bool Drafts::onlyHints() const {
  std::error_code ignored;
  return std::filesystem::exists(folder_ / kHints, ignored);
}

void Drafts::setOnlyHints(bool hints) const {
  std::error_code ignored;
  if (!hints) std::filesystem::remove(folder_ / kHints, ignored);
  if (hints && makeOwnFolder(folder_)) static_cast<void>(replaceFile(folder_ / kHints, "\n"));
}

std::vector<std::string> Drafts::recent() const {
  std::vector<std::string> paths;
  if (own_) return paths;
  const Result<std::string> text = readTextFile(folder_ / kRecent, size_t{1} << 16);
  if (!text) return paths;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line) && paths.size() < kMostRecent;)
    if (!line.empty()) paths.push_back(line);
  return paths;
}

void Drafts::addRecent(const std::filesystem::path& program) const {
  if (own_ || !makeOwnFolder(folder_)) return;
  std::vector<std::string> paths = recent();
  std::erase(paths, program.string());
  paths.insert(paths.begin(), program.string());
  std::string text;
  for (size_t i = 0; i < std::min(paths.size(), kMostRecent); ++i) text += paths[i] + "\n";
  // If the list cannot be written, recent programs are not offered.
  static_cast<void>(replaceFile(folder_ / kRecent, text));
}

}  // namespace tilestep::features
