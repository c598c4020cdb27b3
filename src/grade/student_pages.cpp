// SPDX-License-Identifier: Apache-2.0
#include "grade/student_pages.h"

#include <algorithm>
#include <cstdint>
#include <system_error>

#include "base/files.h"
#include "grade/reports.h"

namespace tilestep::grade {

namespace fs = std::filesystem;

namespace {

bool isStudentPage(const fs::path& path) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 20;
  const Result<std::string> text = readTextFile(path, kMostBytes);
  return text && isAnyPage(*text);
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
      return requestError("--html " + folder + " lies in " + place +
                          ", where submissions are looked for: name a folder outside");
  }
  pages.folder_ = folder;
  return pages;
}

bool StudentPages::lacks(const Grade& grade, const RunFacts& facts) const {
  if (folder_.empty()) return false;
  constexpr uint64_t kMostBytes = uint64_t{1} << 20;
  const Result<std::string> page = readTextFile(pageOf(grade.id), kMostBytes);
  return !page || !isPageOf(grade, facts, *page);
}

Status StudentPages::write(const Grade& grade, const RunFacts& facts) const {
  if (folder_.empty()) return {};
  std::error_code failed;
  fs::create_directories(folder_, failed);
  const fs::path path = pageOf(grade.id);
  // Links and pipes are replaced, not followed, and hold nothing.
  if (fs::is_regular_file(fs::symlink_status(path, failed)) && fs::file_size(path, failed) > 0 &&
      !isStudentPage(path))
    return requestError(path.string() +
                        " is there and is no page of Tilestep's; move it, or name another folder "
                        "with --html");
  return replaceFile(pageOf(grade.id), toHtml(grade, facts));
}

fs::path StudentPages::pageOf(const std::string& id) const {
  return folder_ / pageName(id);
}

}  // namespace tilestep::grade
