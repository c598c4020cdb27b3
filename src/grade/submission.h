// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilestep::grade {

/// A file of a student: in the folder that was named, the path below it, which the student may have
/// made and can change.
struct SubmittedFile {
  std::filesystem::path folder, below;
};

/// What one student handed in.
struct Submission {
  std::string id;              ///< Unique among those that are found together.
  std::filesystem::path path;  ///< The file; empty where it is not clear which one it is.
  std::string file;            ///< For people: the path below the folder that was given.
  std::string problem;         ///< Why it cannot be graded, in a sentence; empty: it can.
  bool refused = false;        ///< The problem is the submission's, such as a link.
  std::vector<SubmittedFile> files = {};  ///< All that could count; one where it can be graded.
  /// The problem without the names of other files; empty: the same as above.
  std::string forStudent = {};
};

/// What a class handed in.
struct Submissions {
  std::vector<Submission> all;
  /// Paths of what stands where a student's file or folder would, but has a name that begins with a
  /// dot: nobody looks into it. Systems and editors make such files and folders, too; those that
  /// are known are not among them.
  std::vector<std::string> leftOut;
  /// Paths of what lies where a student's file or folder would and is neither: other files, and
  /// links to folders.
  std::vector<std::string> uncounted;
};

/// Submissions in `places`, which are .cu files and folders. A folder is searched as these hand
/// out the files of a class:
/// - Moodle, with folders or without: NAME_NUMBER_assignsubmission_file_[/]FILE.cu; id NUMBER
/// - Canvas: name[_LATE]_USER_SUBMISSION_FILE.cu; id USER
/// - GitHub Classroom: [ASSIGNMENT-submissions/]ASSIGNMENT-LOGIN/.../FILE.cu; id LOGIN
/// - anything else: the name of the first folder below the one that all submissions lie in, or a
///   file's stem where it lies in none.
/// `fileName`: only files with this name count; empty: all that end in .cu. Links are not followed.
/// Whoever handed in several files, or none that counts, is listed with a problem. Errors: a place
/// that is not there, or no submission in any of them.
Result<Submissions> findSubmissions(const std::vector<std::string>& places,
                                    const std::string& fileName);

/// 64-bit FNV-1a of what was handed in, in hexadecimal digits: of all files where there are
/// several. Empty where there is none, or where one cannot be read.
[[nodiscard]] std::string hashOf(const Submission& submission);

/// The text of a submission's file. Errors of kind request: it is no regular file, too large to be
/// a kernel's, or no text. Errors of kind work: it cannot be read, or a link has come to lead to
/// it.
Result<std::string> readSubmission(const SubmittedFile& file);

}  // namespace tilestep::grade
