// SPDX-License-Identifier: Apache-2.0
#include "grade/submission.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/nearest_name.h"
#include "base/printable.h"

namespace tilestep::grade {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestFile = size_t{256} << 10;
/// Limits on the number of files of one student that are examined, and on the levels of folders.
constexpr size_t kMostOfOne = 1'000, kDeepest = 8;

constexpr const char* kLayouts =
    "name the folder of the class, with one file or folder for each student: ID.cu, ID/…/FILE.cu, "
    "Canvas' name_ID_55501_FILE.cu, Moodle's NAME_ID_assignsubmission_file_/FILE.cu or GitHub "
    "Classroom's TASK-submissions/TASK-ID/…/FILE.cu";

/// One way to read a file name as Canvas' name[_LATE]_ID_SUBMISSION_FILE or as Moodle's
/// NAME_ID_assignsubmission_file_FILE.
struct CourseName {
  std::string id, file;
};

/// Returns several readings if the student's own name ends in a number or the file's name begins
/// with one. Canvas numbers all submissions of a school, so a submission number has at least five
/// digits, unlike the numbers in "ex_3_2_tiles.cu".
std::vector<CourseName> courseNames(const std::string& name) {
  static const std::regex pattern("_(?=([0-9]+)_(?:[0-9]{5,}|assignsubmission_file)_(.*))");
  std::vector<CourseName> names;
  for (std::sregex_iterator at(name.begin(), name.end(), pattern), end; at != end; ++at)
    names.push_back({(*at)[1], (*at)[2]});
  return names;
}

/// The ID of Moodle's NAME_ID_assignsubmission_file_; some versions omit the last underscore. The
/// last number is the ID, because NAME may contain the same pattern.
std::optional<std::string> moodleId(const std::string& folder) {
  static const std::regex pattern("_([0-9]+)_assignsubmission_(file|onlinetext)_?$");
  std::smatch match;
  return std::regex_search(folder, match, pattern) ? std::optional(match[1].str()) : std::nullopt;
}

/// "tiles-" for the folder "tiles-submissions" of GitHub Classroom, whose folders begin with it;
/// empty for other folders.
std::string classroomPrefix(const std::string& folder) {
  constexpr std::string_view kEnd = "-submissions";
  if (folder.size() <= kEnd.size() || !folder.ends_with(kEnd)) return {};
  return folder.substr(0, folder.size() - kEnd.size() + 1);
}

/// The owner's id of a folder, from its name and that of its parent folder.
std::string idOfFolder(const std::string& name, const std::string& parent) {
  if (const auto id = moodleId(name)) return *id;
  const std::string prefix = classroomPrefix(parent);
  return name.size() > prefix.size() && name.starts_with(prefix) ? name.substr(prefix.size())
                                                                 : name;
}

/// The folder's absolute path, whose last part is the folder's name.
fs::path wholePath(const fs::path& folder) {
  return fs::absolute(folder / "").lexically_normal().parent_path();
}

bool isHidden(const std::string& name) {
  return name.starts_with(".") || name == "__MACOSX";
}

bool isFolder(const fs::directory_entry& entry) {
  std::error_code failed;
  return fs::is_directory(entry.symlink_status(failed));
}

/// Whether a file with this name is graded. Course systems put their own words before the name that
/// the student chose, and Canvas numbers later versions: "tiles-1.cu".
bool counts(const fs::path& path, const std::string& fileName) {
  const std::string name = path.filename().string();
  if (fileName.empty()) return path.extension() == ".cu";
  if (name == fileName) return true;
  static const std::regex version("-[0-9]+(?=\\.[^.]*$)");
  return std::ranges::any_of(courseNames(name), [&](const CourseName& course) {
    return course.file == fileName || std::regex_replace(course.file, version, "") == fileName;
  });
}

/// The files found for one student.
struct Student {
  std::vector<SubmittedFile> files;  ///< Files to grade that are not links.
  bool isUnclear = false;            ///< A file's name may belong to several students.
  bool isTooDeep = false;            ///< Some folders are too deep to be searched.
  fs::path link;                     ///< A link that would be graded; may be empty.
  fs::path other;                    ///< The first file that is not graded; may be empty.
};

/// Finds the students of one class or file after another.
class Search {
 public:
  explicit Search(const std::string& fileName) : fileName_(fileName) {}

  void throughFile(const fs::path& file) {
    add({file.parent_path(), file.filename()}, students[printableLine(file.stem().string())]);
  }

  void throughClass(const fs::path& folder) {
    std::error_code failed;
    const std::string parent = wholePath(folder).filename().string();
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end;
         at.increment(failed)) {
      const std::string name = at->path().filename().string();
      const bool isStudents = isFolder(*at) || counts(name, fileName_);
      if (isHidden(name)) {
        // macOS writes "._NAME" and "__MACOSX" next to files on other systems.
        if (isStudents && name.starts_with(".") && !name.starts_with("._") && name != ".git")
          unattributed.insert(printableLine(at->path().string()));
      } else if (isFolder(*at)) {
        throughStudent(folder, name, students[printableLine(idOfFolder(name, parent))]);
      } else {
        fileOfClass(folder, name, isStudents);
      }
    }
  }

  std::map<std::string, Student> students;  ///< By id.
  std::set<std::string> unattributed;       ///< As in Submissions.

 private:
  void fileOfClass(const fs::path& folder, const fs::path& name, bool isCounted) {
    const std::vector<CourseName> course = courseNames(name.string());
    if (!isCounted && course.empty()) {
      unattributed.insert(printableLine((folder / name).string()));
      return;
    }
    const std::string id = course.size() == 1 ? course.front().id : name.stem().string();
    Student& student = students[printableLine(id)];
    student.isUnclear = student.isUnclear || course.size() > 1;
    if (isCounted)
      add({folder, name}, student);
    else
      student.other = name;
  }

  void throughStudent(const fs::path& folder, const fs::path& name, Student& student) {
    std::error_code failed;
    for (fs::recursive_directory_iterator at(folder / name, failed), end;
         !failed && at != end && student.files.size() < kMostOfOne; at.increment(failed)) {
      if (isHidden(at->path().filename().string())) {
        at.disable_recursion_pending();
      } else if (isFolder(*at)) {
        if (static_cast<size_t>(at.depth()) + 1 < kDeepest) continue;
        at.disable_recursion_pending();
        student.isTooDeep = true;
      } else {
        const fs::path below = at->path().lexically_relative(folder);
        if (counts(below, fileName_))
          add({folder, below}, student);
        else if (student.other.empty() || below < student.other)
          student.other = below;
      }
    }
  }

  static void add(SubmittedFile file, Student& student) {
    std::error_code failed;
    if (fs::is_symlink(file.folder / file.below, failed))
      student.link = file.below;
    else
      student.files.push_back(std::move(file));
  }

  const std::string& fileName_;
};

/// The reason why none of a student's files is graded.
std::string nothingCounts(const Student& student, const std::string& fileName) {
  if (student.isTooDeep)
    return "No file was found in " + std::to_string(kDeepest) +
           " levels of folders, and deeper ones are not searched.";
  const std::string wanted = fileName.empty() ? "that ends in .cu" : "called " + fileName;
  const std::string other = printableLine(student.other.filename().string());
  return "There is no file " + wanted + (other.empty() ? "." : "; there is " + other + ".");
}

Submission submissionOf(const std::string& id, Student student, const std::string& fileName) {
  std::vector<SubmittedFile>& files = student.files;
  std::ranges::sort(files, {}, &SubmittedFile::below);
  Submission submission;
  submission.id = id;
  const fs::path& shown =
      files.empty() ? student.link.empty() ? student.other : student.link : files.front().below;
  submission.file = printableLine(shown.string());
  submission.refused = files.empty() && !student.link.empty();
  if (submission.refused) {
    submission.problem = "The file is a link, which is not followed.";
  } else if (files.empty()) {
    submission.problem = nothingCounts(student, fileName);
  } else if (student.isUnclear) {
    submission.problem =
        "More than one number in the name of the file may be the student's; rename it so that only "
        "one is, as in name_1001_55501_tiles.cu.";
  } else if (files.size() > 1) {
    submission.forStudent = "Several files were found, and it is not clear which one counts.";
    submission.problem = "There are " + std::to_string(files.size()) +
                         " files of this student: " + printableLine(files[0].below.string()) +
                         ", " + printableLine(files[1].below.string()) +
                         (files.size() > 2 ? ", …" : "") +
                         "; say which one counts with --file NAME.cu, keep one, or name "
                         "the folder that holds the students' folders.";
  } else {
    submission.path = files[0].folder / files[0].below;
  }
  submission.files = std::move(files);
  return submission;
}

/// In one student's own folder, names that the student chose would determine the owners of the
/// files. A shell expands "class/*" to such folders, so several folders with the same parent are
/// rejected as well.
Status checkPlaces(const std::vector<std::string>& places) {
  std::set<fs::path> parents;
  for (const std::string& place : places) {
    std::error_code failed;
    const fs::file_status status = fs::status(place, failed);
    if (!fs::exists(status)) return requestError("there is no file or folder " + place);
    if (!fs::is_directory(status)) continue;
    const fs::path whole = wholePath(place), parent = whole.parent_path();
    const std::string name = whole.filename().string();
    if (!parents.insert(parent).second)
      return requestError(
          "several of the folders are in " + printableLine(parent.string()) +
          "; if they are students' folders, name the folder that holds them; several classes are "
          "graded one after another");
    if (idOfFolder(name, parent.filename().string()) != name)
      return requestError(printableLine(place) +
                          " is one student's folder; name the folder that holds it, and the "
                          "student's id with --again");
  }
  return {};
}

}  // namespace

Result<Submissions> findSubmissions(const std::vector<std::string>& places,
                                    const std::string& fileName) {
  if (const Status right = checkPlaces(places); !right) return right.error();
  Search search(fileName);
  for (const std::string& place : places) {
    if (fs::is_directory(place))
      search.throughClass(place);
    else
      search.throughFile(place);
  }
  Submissions submissions;
  submissions.unattributed.assign(search.unattributed.begin(), search.unattributed.end());
  for (auto& [id, student] : search.students)
    submissions.all.push_back(submissionOf(id, std::move(student), fileName));
  const auto isFound = [](const Submission& one) { return one.refused || !one.files.empty(); };
  if (std::ranges::any_of(submissions.all, isFound)) return submissions;
  return requestError(
      "there is no " + (fileName.empty() ? "file that ends in .cu" : fileName) + " in " +
      places.front() + (places.size() > 1 ? " and the other places" : "") + ": " + kLayouts +
      (submissions.unattributed.empty()
           ? ""
           : "; not recognised as a student's: " + listedFirst(submissions.unattributed)));
}

std::string hashOf(const Submission& submission) {
  uint64_t hash = kFnvStart;
  for (const SubmittedFile& file : submission.files) {
    const Result<std::string> text = readSubmission(file);
    if (!text) return {};
    hash = fnv1a64(*text, hash);
  }
  return submission.files.empty() ? std::string() : hex64(hash);
}

Result<std::string> readSubmission(const SubmittedFile& file) {
  const fs::path path = file.folder / file.below;
  std::error_code failed;
  const fs::file_status there = fs::symlink_status(path, failed);
  if (!fs::is_regular_file(there))
    return fs::exists(there) ? requestError("this is not a regular file")
                             : workError("the file is no longer there");
  const auto size = fs::file_size(path, failed);
  if (!failed && size > kLargestFile)
    return requestError("the file has " + std::to_string(size) +
                        " bytes; a kernel may have at most " + std::to_string(kLargestFile));
  // The file may have been replaced by now.
  Result<std::string> text = readTextFileBelow(file.folder, file.below, kLargestFile);
  if (!text) return workError(text.error().message);
  if (text->find('\0') != std::string::npos)
    return requestError("the file contains bytes that are not text");
  return text;
}

}  // namespace tilestep::grade
