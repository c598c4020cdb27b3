// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilestep::grade {

/// A student's file: the folder that the teacher gave, and the path below it, which the student may
/// have made and can change.
struct SubmittedFile {
  std::filesystem::path folder, below;
};

/// Everything that one student handed in.
struct Submission {
  std::string id;              ///< Unique among submissions that are found together.
  std::filesystem::path path;  ///< The file to grade; empty if there is a problem.
  std::string file;            ///< For display: the path below the folder that the teacher gave.
  std::string problem;   ///< The reason why it cannot be graded, in a sentence; empty: it can.
  bool refused = false;  ///< The problem is a link, not the choice of a file.
  std::vector<SubmittedFile> files = {};  ///< All candidates; one if it can be graded.
  /// The problem without the names of other files; empty: the same as above.
  std::string forStudent = {};
};

/// The submissions of a class, in the order of ids.
struct Submissions {
  std::vector<Submission> all;
  /// Files and hidden folders beside the submissions that are not attributed to any student. Hidden
  /// files are included only if they would count under another name.
  std::vector<std::string> unattributed;
};

/// Finds submissions in `places`, which are .cu files and folders of a class. Each entry of a
/// folder belongs to one student, who is identified by the entry's name alone, because the names
/// below it are the student's own choice (docs/grading.md shows these layouts):
/// - ID/.../FILE.cu or ID.cu
/// - Moodle: NAME_ID_assignsubmission_file_[/.../]FILE.cu
/// - Canvas: name[_LATE]_ID_SUBMISSION_FILE.cu
/// - GitHub Classroom: TASK-ID/.../FILE.cu in a folder TASK-submissions
/// `fileName`: only files with this name count; empty: all that end in .cu. Links are ignored, and
/// refused if there is nothing else. A student with several files, or none that counts, is listed
/// with a problem. Errors: a place that does not exist, one student's folder instead of the
/// class's, or no submission at all.
Result<Submissions> findSubmissions(const std::vector<std::string>& places,
                                    const std::string& fileName);

/// The 64-bit FNV-1a of all files of a submission, in hexadecimal digits. Empty if there is no file
/// or one cannot be read.
[[nodiscard]] std::string hashOf(const Submission& submission);

/// The text of a submission's file. Errors of kind request: not a regular file, larger than any
/// kernel, or not text. Errors of kind work: it cannot be read, or has become a link.
Result<std::string> readSubmission(const SubmittedFile& file);

}  // namespace tilestep::grade
