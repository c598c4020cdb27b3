// SPDX-License-Identifier: Apache-2.0
#include "grade/submission.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/printable.h"
#include "compile/nearest_name.h"
#include "grade/layout.h"

namespace tilestep::grade {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargestFile = size_t{256} << 10;
/// The most files in the folder of a class, and in that of one student.
constexpr size_t kMostFiles = 20'000, kMostOfOne = 1'000, kDeepest = 8;

/// A file of a class, before it is clear whose it is.
struct Found {
  fs::path path;
  fs::path below;  ///< From the folder that was given, `folder`.
  enum class Kind : uint8_t {
    file,     ///< One that counts.
    link,     ///< The same, and it is not followed.
    other,    ///< A file that does not count, or an empty folder.
    tooDeep,  ///< A folder that is not looked into.
  };
  Kind kind = Kind::file;
  bool isUnclear = false;  ///< Its name does not tell which of its numbers is the student's.
  fs::path folder = {};
};

bool canCount(const Found& found) {
  return found.kind == Found::Kind::file || found.kind == Found::Kind::link;
}

/// What systems, editors and version control put beside people's files.
constexpr std::array<std::string_view, 21> kMadeBySystems{
    ".DS_Store", ".Spotlight-V100", ".TemporaryItems",    ".Trash",  ".Trashes",
    ".cache",    ".directory",      ".fseventsd",         ".git",    ".gitattributes",
    ".github",   ".gitignore",      ".gitkeep",           ".gitlab", ".gitmodules",
    ".hg",       ".idea",           ".ipynb_checkpoints", ".svn",    ".vs",
    ".vscode"};

bool isMadeBySystem(const std::string& name) {
  // Of each file, macOS writes a second one to a system that is not its own.
  return name == "__MACOSX" || name.starts_with("._") || name.starts_with(".Trash-") ||
         std::ranges::find(kMadeBySystems, name) != kMadeBySystems.end();
}

bool isHidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".") || name == "__MACOSX";
}

bool counts(const fs::path& path, const std::string& fileName) {
  if (fileName.empty()) return path.extension() == ".cu";
  return wasCalled(path.filename().string(), fileName);
}

std::vector<fs::directory_entry> entriesOf(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (!isHidden(at->path())) entries.push_back(*at);
  std::ranges::sort(entries, {}, [](const fs::directory_entry& entry) { return entry.path(); });
  return entries;
}

bool isFolder(const fs::directory_entry& entry) {
  std::error_code failed;
  return fs::is_directory(entry.symlink_status(failed));
}

/// What a student may have handed in beside the submissions and is not looked at.
void addNobodys(const fs::path& folder, const std::string& fileName, Submissions& to) {
  std::error_code failed;
  std::vector<std::string> leftOut, uncounted;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    const bool isOne = isFolder(*at) || counts(at->path(), fileName);
    if (isMadeBySystem(name)) continue;
    if (isHidden(at->path()) && isOne)
      leftOut.push_back(printableLine(at->path().string()));
    else if (!isHidden(at->path()) && !isOne && !fileNameOf(name))
      uncounted.push_back(printableLine(at->path().string()));
  }
  std::ranges::sort(leftOut);
  std::ranges::sort(uncounted);
  to.leftOut.insert(to.leftOut.end(), leftOut.begin(), leftOut.end());
  to.uncounted.insert(to.uncounted.end(), uncounted.begin(), uncounted.end());
}

std::string lastName(const fs::path& folder) {
  const fs::path normal = fs::absolute(folder).lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).filename().string();
}

/// Looks through a folder and those below it, by path. Links are noted and not followed. So that no
/// student's folder keeps others from being found, each of several folders beside each other has a
/// share of its own.
class Search {
 public:
  explicit Search(const std::string& fileName) : fileName_(fileName) {}

  std::vector<Found> through(const fs::path& folder) {
    isClassroom_ = !classroomPrefix(lastName(folder)).empty();
    look(folder, {}, 0, kMostFiles, false);
    return std::move(found_);
  }
  /// Whether files were left out that are in nobody's share.
  [[nodiscard]] bool isFull() const { return full_; }

 private:
  /// Finds at most `most` files that count, besides those of shares.
  void look(const fs::path& folder, const fs::path& below, size_t depth, size_t most, bool shared) {
    const std::vector<fs::directory_entry> entries = entriesOf(folder);
    const bool shares = !shared && std::ranges::count_if(entries, isFolder) > 1;
    const size_t before = counting_;
    size_t inShares = 0;
    bool hasOther = false;
    if (entries.empty()) found_.push_back({folder, below / "", Found::Kind::other});
    for (const fs::directory_entry& entry : entries) {
      const size_t own = counting_ - before - inShares;
      if (own >= most) {
        full_ = full_ || !shared;
        return;
      }
      const fs::path name = below / entry.path().filename();
      if (!isFolder(entry)) {
        if (!add(entry, name)) hasOther = noteOther(entry, name, hasOther) || hasOther;
      } else if (depth == kDeepest) {
        found_.push_back({entry.path(), name, Found::Kind::tooDeep});
      } else if (shares && !holdsAClass(entry)) {
        const size_t others = counting_;
        look(entry.path(), name, depth + 1, kMostOfOne, true);
        inShares += counting_ - others;
      } else {
        look(entry.path(), name, depth + 1, most - own, shared);
      }
    }
  }

  /// Whether the folder is GitHub Classroom's, and no student's: in such a folder there is none.
  [[nodiscard]] bool holdsAClass(const fs::directory_entry& folder) const {
    const std::string prefix = classroomPrefix(folder.path().filename().string());
    if (isClassroom_ || prefix.empty()) return false;
    const std::vector<fs::directory_entry> inside = entriesOf(folder.path());
    return std::ranges::any_of(inside, [&](const fs::directory_entry& each) {
      return isFolder(each) && each.path().filename().string().starts_with(prefix);
    });
  }

  /// False: the file does not count.
  bool add(const fs::directory_entry& entry, const fs::path& below) {
    if (!counts(entry.path(), fileName_)) return false;
    std::error_code failed;
    const bool isLink = fs::is_symlink(entry.symlink_status(failed));
    found_.push_back({entry.path(), below, isLink ? Found::Kind::link : Found::Kind::file});
    ++counting_;
    return true;
  }

  /// Notes a file that does not count, where its name says whose it is, or as the first one of its
  /// folder. True: it stands for the folder.
  bool noteOther(const fs::directory_entry& entry, const fs::path& below, bool hasOther) {
    const std::string name = below.filename().string();
    const bool isNamed = fileNameOf(name).has_value();
    if (isNamed || !hasOther) found_.push_back({entry.path(), below, Found::Kind::other});
    return !isNamed;
  }

  std::string fileName_;
  std::vector<Found> found_;
  size_t counting_ = 0;  ///< How many of them count.
  bool full_ = false;
  bool isClassroom_ = false;  ///< The folder that is looked through is GitHub Classroom's.
};

/// The folder that all files of a place lie in, however deep.
fs::path sharedFolder(const std::vector<Found>& found) {
  std::optional<fs::path> shared;
  for (const Found& file : found) {
    if (!canCount(file)) continue;
    const fs::path folder = file.below.parent_path();
    if (!shared) shared = folder;
    fs::path both;
    for (auto a = shared->begin(), b = folder.begin();
         a != shared->end() && b != folder.end() && *a == *b; ++a, ++b)
      both /= *a;
    shared = both;
  }
  return shared.value_or(fs::path());
}

/// Says whose each file of one place is. A student's own names never say so: only the first name
/// below the folder that all submissions lie in.
class Owners {
 public:
  Owners(const fs::path& place, const std::vector<Found>& found)
      : student_(studentOf(place)),
        start_(startOf(place, sharedFolder(found))),
        prefix_(classroomPrefix(lastName(place / start_))) {}

  /// Nothing for what is no student's, such as a list of the class beside the submissions.
  [[nodiscard]] std::optional<std::string> of(const Found& file) const {
    if (!student_.empty()) return student_;
    const fs::path rest = file.below.lexically_relative(start_);
    if (rest.empty() || *rest.begin() == "..") return std::nullopt;
    const std::string first = rest.begin()->string();
    const bool hasFolder = std::distance(rest.begin(), rest.end()) > 1;
    if (!hasFolder) {
      const std::optional<FileName> name = fileNameOf(first);
      if (name && !name->owner.empty()) return name->owner;
      return name || canCount(file) ? std::optional(file.path.stem().string()) : std::nullopt;
    }
    if (const auto owner = moodleOwner(first)) return owner;
    const bool prefixed = first.size() > prefix_.size() && first.starts_with(prefix_);
    return prefixed ? first.substr(prefix_.size()) : first;
  }

  /// Whether its name may be that of several students.
  [[nodiscard]] bool areUnclear(const Found& file) const {
    if (!student_.empty()) return false;
    const fs::path rest = file.below.lexically_relative(start_);
    if (rest != rest.filename()) return false;
    const std::optional<FileName> name = fileNameOf(rest.string());
    return name && name->owner.empty();
  }

  /// Below the place: the folder in which names say whose files are.
  [[nodiscard]] const fs::path& start() const { return start_; }

 private:
  /// Whose folder the place itself is, as a course system named it; empty: nobody's. What is in it
  /// is the student's own, and says nothing of whose it is.
  static std::string studentOf(const fs::path& place) {
    if (!fs::is_directory(place)) return {};
    const fs::path whole = fs::absolute(place / "").lexically_normal().parent_path();
    if (const auto owner = moodleOwner(whole.filename().string())) return *owner;
    const std::string prefix = classroomPrefix(whole.parent_path().filename().string());
    const std::string name = whole.filename().string();
    const bool prefixed = !prefix.empty() && name.size() > prefix.size();
    return prefixed && name.starts_with(prefix) ? name.substr(prefix.size()) : "";
  }

  /// The part of `shared` that is no student's folder, as only what a course system made is known
  /// to be: any other folder that holds all files may be a student's, whose own names would then
  /// say whose they are.
  static fs::path startOf(const fs::path& place, const fs::path& shared) {
    fs::path start;
    for (const fs::path& part : shared) {
      const bool isClassroom = !classroomPrefix(part.string()).empty();
      const bool isStudents = moodleOwner(part.string()).has_value() ||
                              !classroomPrefix(lastName(place / start)).empty();
      if (isStudents || !isClassroom) break;
      start /= part;
    }
    return start;
  }

  std::string student_;
  fs::path start_;
  std::string prefix_;
};

/// Folders beside each other are as a shell names those of a class's students with "class/*". Then
/// the names in them would say whose files they are, and these are the students' own.
Status checkPlaces(const std::vector<std::string>& places) {
  std::map<fs::path, std::string> folders;
  for (const std::string& place : places) {
    if (!fs::is_directory(place)) continue;
    const fs::path parent =
        fs::absolute(fs::path(place) / "").lexically_normal().parent_path().parent_path();
    const auto [other, isNew] = folders.emplace(parent, place);
    if (isNew) continue;
    return requestError(printableLine(other->second) + " and " + printableLine(place) +
                        " lie beside each other. If they are students' folders, name the folder "
                        "that holds them, " +
                        printableLine(parent.string()) +
                        "; several classes are graded one after another");
  }
  return {};
}

/// Why no file of a student counts.
std::string nothingCounts(const std::vector<Found>& found, const std::string& fileName) {
  const auto isDeep = [](const Found& one) { return one.kind == Found::Kind::tooDeep; };
  if (std::ranges::any_of(found, isDeep))
    return "No file was found in " + std::to_string(kDeepest) +
           " levels of folders, and deeper ones are not looked into.";
  const std::string wanted = fileName.empty() ? "that ends in .cu" : "called " + fileName;
  const std::string name = printableLine(found.front().below.filename().string());
  return "There is no file " + wanted + (name.empty() ? "." : "; there is " + name + ".");
}

/// What is known of one student's files.
Submission submissionOf(const std::string& id, const std::vector<Found>& all,
                        const std::string& fileName) {
  std::vector<Found> files;
  std::ranges::copy_if(all, std::back_inserter(files), canCount);
  Submission submission;
  submission.id = id;
  submission.file = printableLine((files.empty() ? all : files).front().below.string());
  for (const Found& file : files)
    if (file.kind == Found::Kind::file) submission.files.push_back({file.folder, file.below});
  if (files.empty()) {
    submission.problem = nothingCounts(all, fileName);
  } else if (files.front().isUnclear) {
    submission.problem =
        "More than one number in the name of the file may be the student's; rename it so that only "
        "one is, as in name_1001_55501_tiles.cu.";
  } else if (files.size() == 1 && files.front().kind == Found::Kind::link) {
    submission.problem = "The file is a link, which is not followed.";
    submission.refused = true;
  } else if (files.size() > 1) {
    submission.forStudent = "Several files were found, and it is not clear which one counts.";
    submission.problem = "There are " + std::to_string(files.size()) +
                         " files of this student: " + printableLine(files[0].below.string()) +
                         ", " + printableLine(files[1].below.string()) +
                         (files.size() > 2 ? ", …" : "") +
                         "; say which one counts with --file NAME.cu, keep one, or name "
                         "the folder that holds the students' folders.";
  } else {
    submission.path = files.front().path;
  }
  return submission;
}

Result<std::vector<Found>> filesAt(const std::string& place, const std::string& fileName) {
  std::error_code failed;
  const fs::path path(place);
  // A folder that the teacher named may be a link; a file may be one of many that a shell listed.
  const fs::file_status status = fs::status(path, failed);
  if (!fs::exists(status)) return requestError("there is no file or folder " + place);
  if (!fs::is_directory(status))
    return std::vector<Found>{
        {path, path.filename(),
         fs::is_symlink(path, failed) ? Found::Kind::link : Found::Kind::file}};
  Search search(fileName);
  std::vector<Found> found = search.through(path);
  if (search.isFull())
    return requestError(place + " holds more than " + std::to_string(kMostFiles) +
                        " files; name the folder of one class");
  return found;
}

}  // namespace

Result<Submissions> findSubmissions(const std::vector<std::string>& places,
                                    const std::string& fileName) {
  if (const Status right = checkPlaces(places); !right) return right.error();
  Submissions submissions;
  std::map<std::string, std::vector<Found>> byOwner;
  std::vector<std::string> order;
  for (const std::string& place : places) {
    Result<std::vector<Found>> found = filesAt(place, fileName);
    if (!found) return found.error();
    const Owners owners(place, *found);
    addNobodys(place / owners.start(), fileName, submissions);
    if (std::ranges::none_of(*found, canCount)) continue;
    for (Found& file : *found) {
      file.folder = fs::is_directory(place) ? fs::path(place) : fs::path(place).parent_path();
      const std::optional<std::string> owner = owners.of(file);
      if (!owner) continue;
      file.isUnclear = owners.areUnclear(file);
      const std::string id = printableLine(*owner);
      std::vector<Found>& files = byOwner[id];
      if (files.empty()) order.push_back(id);
      files.push_back(std::move(file));
    }
  }
  if (order.empty())
    return requestError(
        "there is no " + (fileName.empty() ? "file that ends in .cu" : fileName) + " in " +
        places.front() + (places.size() > 1 ? " and the other places" : "") +
        (submissions.leftOut.empty() ? ""
                                     : "; what begins with a dot is left out: " +
                                           compile::listedFirst(submissions.leftOut)));
  submissions.all.reserve(order.size());
  for (const std::string& id : order)
    submissions.all.push_back(submissionOf(id, byOwner.at(id), fileName));
  return submissions;
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
    return fs::exists(there) ? requestError("this is no regular file")
                             : workError("the file is no longer there");
  const auto size = fs::file_size(path, failed);
  if (!failed && size > kLargestFile)
    return requestError("the file has " + std::to_string(size) + " bytes, and " +
                        std::to_string(kLargestFile) + " is the most for a kernel");
  // It may be another file by now.
  Result<std::string> text = readTextFileBelow(file.folder, file.below, kLargestFile);
  if (!text) return workError(text.error().message);
  if (text->find('\0') != std::string::npos)
    return requestError("the file holds bytes that no text has");
  return text;
}

}  // namespace tilestep::grade
