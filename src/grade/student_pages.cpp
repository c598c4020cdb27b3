// SPDX-License-Identifier: Apache-2.0
#include "grade/student_pages.h"

#include <algorithm>
#include <cstdint>
#include <system_error>

#include "base/files.h"
#include "grade/class_page.h"
#include "grade/reports.h"

namespace tilestep::grade {

namespace fs = std::filesystem;

namespace {

constexpr const char* kClassFile = "class.json";

/// Enough of a page's beginning to identify it.
constexpr size_t kBeginning = size_t{1} << 16;

bool isOurPage(const fs::path& path) {
  const Result<std::string> text = readFileStart(path, kBeginning);
  return text && isAnyPage(*text);
}

/// Whether writing would destroy a file's contents. Links and pipes are replaced, not followed.
bool holdsSomething(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(fs::symlink_status(path, failed)) && fs::file_size(path, failed) > 0;
}

Error isNotOurs(const fs::path& path, const char* what) {
  return requestError(path.string() + " exists and is no " + what +
                      " of Tilestep's; move it, or name another folder with --html");
}

}  // namespace

Result<StudentPages> StudentPages::in(const std::string& folder,
                                      const std::vector<std::string>& places) {
  StudentPages pages;
  if (folder.empty()) return pages;
  std::error_code failed;
  if (fs::exists(folder, failed) && !fs::is_directory(folder, failed))
    return requestError("--html names a folder, and " + folder + " is a file");
  const fs::path whole = fs::weakly_canonical(folder, failed);
  for (const std::string& place : places) {
    const fs::path submissions = fs::weakly_canonical(place, failed);
    const auto [end, at] = std::ranges::mismatch(submissions, whole);
    if (fs::is_directory(submissions, failed) && end == submissions.end())
      return requestError("--html " + folder + " is inside " + place +
                          ", which is searched for submissions; name a folder outside it");
  }
  pages.folder_ = folder;
  return pages;
}

FoundBefore StudentPages::foundBefore(const std::string& version) const {
  if (folder_.empty()) return {};
  const Result<std::string> text = readTextFile(folder_ / kClassFile);
  return text ? FoundBefore(*text, version) : FoundBefore();
}

bool StudentPages::lacks(const Grade& grade, const RunFacts& facts) const {
  if (folder_.empty()) return false;
  if (!grade.troubles) return true;
  constexpr uint64_t kMostBytes = uint64_t{1} << 20;
  const Result<std::string> page = readTextFile(pageOf(grade.id), kMostBytes);
  return !page || !isPageOf(grade, facts, *page);
}

Status StudentPages::write(const Grade& grade, const RunFacts& facts) const {
  if (folder_.empty()) return {};
  return writePage(pageOf(grade.id), toHtml(grade, facts));
}

Status StudentPages::writeFound(const std::vector<Grade>& grades, const RunFacts& facts) const {
  if (folder_.empty()) return {};
  std::error_code failed;
  fs::create_directories(folder_, failed);
  const fs::path path = folder_ / kClassFile;
  if (holdsSomething(path)) {
    const Result<std::string> text = readTextFile(path);
    if (!text || !isClassJson(*text)) return isNotOurs(path, "file");
  }
  return replaceFile(path, toClassJson(grades, facts));
}

Status StudentPages::writeClass(const std::vector<Grade>& grades, const RunFacts& facts) const {
  if (folder_.empty()) return {};
  return writePage(folder_ / kClassPage, toClassPage(grades, facts));
}

Status StudentPages::writePage(const fs::path& path, const std::string& page) const {
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (holdsSomething(path) && !isOurPage(path)) return isNotOurs(path, "page");
  return replaceFile(path, page);
}

fs::path StudentPages::pageOf(const std::string& id) const {
  return folder_ / pageName(id);
}

}  // namespace tilestep::grade
