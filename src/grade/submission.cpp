// SPDX-License-Identifier: Apache-2.0
#include "grade/submission.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/printable.h"
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
  fs::path below;  ///< From the folder that was given.
  bool isLink = false;
  bool isTooDeep = false;  ///< A folder that is not looked into.
};

bool isHidden(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(".") || name == "__MACOSX";
}

bool counts(const fs::path& path, const std::string& fileName) {
  if (fileName.empty()) return path.extension() == ".cu";
  const std::string name = path.filename().string();
  // Course systems put their words before the name.
  return name == fileName || name.ends_with("_" + fileName);
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

/// Looks through a folder and those below it, by path. Links are noted and not followed. So that no
/// student's folder keeps others from being found, each of several folders beside each other has a
/// share of its own.
class Search {
 public:
  explicit Search(const std::string& fileName) : fileName_(fileName) {}

  std::vector<Found> through(const fs::path& folder) {
    look(folder, {}, 0, kMostFiles, false);
    return std::move(found_);
  }
  /// Whether files were left out that are in nobody's share.
  [[nodiscard]] bool isFull() const { return full_; }

 private:
  /// Finds at most `most` files, besides those of shares.
  void look(const fs::path& folder, const fs::path& below, size_t depth, size_t most, bool shared) {
    const std::vector<fs::directory_entry> entries = entriesOf(folder);
    const bool shares = !shared && std::ranges::count_if(entries, isFolder) > 1;
    const size_t before = found_.size();
    size_t inShares = 0;
    for (const fs::directory_entry& entry : entries) {
      const size_t own = found_.size() - before - inShares;
      if (own >= most) {
        full_ = full_ || !shared;
        return;
      }
      const fs::path name = below / entry.path().filename();
      if (!isFolder(entry)) {
        std::error_code failed;
        const bool isLink = fs::is_symlink(entry.symlink_status(failed));
        if (counts(entry.path(), fileName_)) found_.push_back({entry.path(), name, isLink});
      } else if (depth == kDeepest) {
        found_.push_back({entry.path(), name, false, true});
      } else if (shares) {
        const size_t others = found_.size();
        look(entry.path(), name, depth + 1, kMostOfOne, true);
        inShares += found_.size() - others;
      } else {
        look(entry.path(), name, depth + 1, most - own, shared);
      }
    }
  }

  std::string fileName_;
  std::vector<Found> found_;
  bool full_ = false;
};

/// The folders below `found` that stand first in their paths.
std::vector<std::string> firstFolders(const std::vector<Found>& found, const fs::path& start) {
  std::set<std::string> names;
  for (const Found& file : found) {
    const fs::path rest = file.below.lexically_relative(start);
    if (std::distance(rest.begin(), rest.end()) > 1) names.insert(rest.begin()->string());
  }
  return {names.begin(), names.end()};
}

/// The folders that all files of a place lie in.
fs::path sharedFolder(const std::vector<Found>& found) {
  fs::path shared = found.front().below.parent_path();
  for (const Found& file : found) {
    fs::path both;
    const fs::path folder = file.below.parent_path();
    for (auto a = shared.begin(), b = folder.begin();
         a != shared.end() && b != folder.end() && *a == *b; ++a, ++b)
      both /= *a;
    shared = both;
  }
  return shared;
}

/// Says whose each file of one place is.
class Owners {
 public:
  Owners(const fs::path& place, const std::vector<Found>& found)
      : start_(sharedFolder(found)),
        prefix_(classroomPrefix(nameOf(place / start_))),
        inFolders_(firstFolders(found, start_).size() > 1) {}

  [[nodiscard]] std::string of(const Found& file) const {
    const fs::path rest = file.below.lexically_relative(start_);
    if (const auto owner = moodleOwner(file.path)) return *owner;
    const bool hasFolder = std::distance(rest.begin(), rest.end()) > 1;
    // Canvas makes no folders: in one, the file's name is the student's own.
    if (const auto owner = canvasOwner(file.path); owner && !hasFolder) return *owner;
    if (!inFolders_ || !hasFolder) return file.path.stem().string();
    const std::string folder = rest.begin()->string();
    const bool prefixed = folder.size() > prefix_.size() && folder.starts_with(prefix_);
    return prefixed ? folder.substr(prefix_.size()) : folder;
  }

 private:
  static std::string nameOf(const fs::path& folder) {
    const fs::path normal = fs::absolute(folder).lexically_normal();
    return (normal.has_filename() ? normal : normal.parent_path()).filename().string();
  }

  fs::path start_;
  std::string prefix_;
  bool inFolders_ = false;
};

/// What is known of one student's files.
Submission submissionOf(const std::string& id, const std::vector<Found>& all) {
  std::vector<Found> files;
  std::ranges::copy_if(all, std::back_inserter(files), [](const Found& f) { return !f.isTooDeep; });
  Submission submission;
  if (files.empty()) {
    submission.id = id;
    submission.file = printableLine(all.front().below.string());
    submission.problem = "No file was found in " + std::to_string(kDeepest) +
                         " levels of folders, and deeper ones are not looked into.";
    return submission;
  }
  submission.id = id;
  submission.file = printableLine(files.front().below.string());
  const size_t links =
      static_cast<size_t>(std::ranges::count_if(files, [](const Found& f) { return f.isLink; }));
  if (files.size() == 1 && links == 1) {
    submission.problem = "The file is a link, which is not followed.";
    submission.refused = true;
  } else if (files.size() > 1) {
    submission.problem = "There are " + std::to_string(files.size()) +
                         " files of this student: " + printableLine(files[0].below.string()) +
                         ", " + printableLine(files[1].below.string()) +
                         (files.size() > 2 ? ", …" : "") +
                         "; say which one counts with --file NAME.cu, or keep one.";
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
    return std::vector<Found>{{path, path.filename(), fs::is_symlink(path, failed)}};
  Search search(fileName);
  std::vector<Found> found = search.through(path);
  if (search.isFull())
    return requestError(place + " holds more than " + std::to_string(kMostFiles) +
                        " files; name the folder of one class");
  return found;
}

}  // namespace

Result<std::vector<Submission>> findSubmissions(const std::vector<std::string>& places,
                                                const std::string& fileName) {
  std::map<std::string, std::vector<Found>> byOwner;
  std::vector<std::string> order;
  for (const std::string& place : places) {
    Result<std::vector<Found>> found = filesAt(place, fileName);
    if (!found) return found.error();
    if (found->empty()) continue;
    const Owners owners(place, *found);
    for (Found& file : *found) {
      const std::string id = printableLine(owners.of(file));
      std::vector<Found>& files = byOwner[id];
      if (files.empty()) order.push_back(id);
      files.push_back(std::move(file));
    }
  }
  if (order.empty())
    return requestError("there is no " + (fileName.empty() ? "file that ends in .cu" : fileName) +
                        " in " + places.front() +
                        (places.size() > 1 ? " and the other places" : ""));
  std::vector<Submission> submissions;
  submissions.reserve(order.size());
  for (const std::string& id : order) submissions.push_back(submissionOf(id, byOwner.at(id)));
  return submissions;
}

Result<std::string> readSubmission(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed))
    return fs::exists(path, failed) ? requestError("this is no regular file")
                                    : workError("the file is no longer there");
  const auto size = fs::file_size(path, failed);
  if (!failed && size > kLargestFile)
    return requestError("the file has " + std::to_string(size) + " bytes, and " +
                        std::to_string(kLargestFile) + " is the most for a kernel");
  Result<std::string> text = readTextFile(path, kLargestFile);
  if (!text) return workError(text.error().message);
  if (text->find('\0') != std::string::npos)
    return requestError("the file holds bytes that no text has");
  return text;
}

}  // namespace tilestep::grade
