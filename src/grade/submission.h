// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilestep::grade {

/// A student's file: the folder that the teacher gave, and the path below it. The student may have
/// created that path and can change it.
struct SubmittedFile {
  std::filesystem::path folder, below;
};

/// Everything that one student handed in.
struct Submission {
  std::string id;              ///< Unique among the submissions of one search.
  std::filesystem::path path;  ///< The file to grade; empty if there is a problem.
  std::string file;            ///< Shown to users: the path below the folder that the teacher gave.
  /// The reason why it cannot be graded, in a sentence; empty if it can be graded.
  std::string problem;
  bool refused = false;                   ///< Whether the problem is a link, not an ambiguous file.
  std::vector<SubmittedFile> files = {};  ///< All candidates; a single file if it can be graded.
  /// The problem without the names of other files; empty if `problem` contains none.
  std::string forStudent = {};
};

/// The submissions of a class, in the order of ids.
struct Submissions {
  std::vector<Submission> all;
  /// Files and hidden folders beside the submissions that belong to no student. Hidden files are
  /// included only if they would be graded under another name.
  std::vector<std::string> unattributed;
};

/// Finds submissions in `places`, which are .cu files and folders of a class. Each entry of a
/// folder belongs to one student, who is identified only by the entry's name, because the student
/// chose the names below it (docs/grading.md shows these layouts):
/// - ID/.../FILE.cu or ID.cu
/// - Moodle: NAME_ID_assignsubmission_file_[/.../]FILE.cu
/// - Canvas: name[_LATE]_ID_SUBMISSION_FILE.cu
/// - GitHub Classroom: TASK-ID/.../FILE.cu in a folder TASK-submissions
/// Only files named `fileName` are graded; if it is empty, all files that end in .cu. Links are
/// ignored, but refused if there is nothing else. A student with several files, or without a file
/// to grade, is listed with a problem. Errors: a place that does not exist, one student's folder
/// instead of the class's, or no submission.
Result<Submissions> findSubmissions(const std::vector<std::string>& places,
                                    const std::string& fileName);

/// The 64-bit FNV-1a of all files of a submission, in hexadecimal digits. Empty if there is no file
/// or a file cannot be read.
[[nodiscard]] std::string hashOf(const Submission& submission);

/// The text of a submission's file. Errors of kind request: not a regular file, too large for a
/// kernel, or not text. Errors of kind work: the file cannot be read, or has become a link.
Result<std::string> readSubmission(const SubmittedFile& file);

}  // namespace tilestep::grade
