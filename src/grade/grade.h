// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grade/trouble.h"

/// The result of grading one submission: a value that the reports print.
namespace tilestep::grade {

enum class Verdict : uint8_t {
  right,     ///< No problem was found at any launch.
  wrong,     ///< A problem was found.
  refused,   ///< The file must not be run: it reads other files, is a link, or is too long.
  unjudged,  ///< Neither a fault nor correctness was proven.
  failed,    ///< The grader failed; grading it again may help.
};
inline constexpr size_t kVerdicts = 5;
[[nodiscard]] const char* nameOf(Verdict verdict);
[[nodiscard]] std::optional<Verdict> verdictNamed(const std::string& name);

/// One line of the marks.
struct Row {
  std::string name;             ///< "result", or the counter of a count.
  std::optional<double> marks;  ///< Absent if the row was not judged, which differs from 0.
  double of = 0;
  /// The reason for missing marks, in a sentence without hidden data; may be empty.
  std::string why;
};

/// A count over several launches, with the solution's count.
struct CountResult {
  std::string counter;
  uint64_t submission = 0, solution = 0;
  double atMost = 1;        ///< The limit, in multiples of the solution's count.
  bool atDefaults = false;  ///< Counts only launches with the default tunables.
};

/// The location of the first failure. Contains no values, but an index or a number of barriers
/// reveals a lower bound of some size.
struct FailurePlace {
  std::string element;            ///< "P[0][5]"; empty if the failure is not a wrong element.
  bool written = true;            ///< Whether the element was written.
  int line = 0;                   ///< In the file, from 1; 0 if not known.
  std::optional<uint32_t> epoch;  ///< The number of barriers that the block had passed.
  std::string what;               ///< "read-after-write on Mds[0][3]"; may be empty.
};

/// Greater marks by hand are rejected as a typing error.
inline constexpr double kMostByHand = 1e6;

struct Grade {
  std::string id;
  std::string file;  ///< The path below the folder that the teacher gave.
  std::string hash;  ///< 64-bit FNV-1a of the file's bytes; empty if the file was not read.
  Verdict verdict = Verdict::failed;
  std::string reason;      ///< In sentences; empty if the submission is right and earns all marks.
  std::string forStudent;  ///< The reason without hidden data; not in the CSV file.
  std::vector<Row> rows;
  std::vector<CountResult> counts;
  std::optional<FailurePlace> place;
  std::optional<size_t> failedAt;  ///< The first launch that failed.
  std::string command;  ///< Repeats that launch, for the teacher; empty if no launch failed.
  double seconds = 0;
  /// All findings, each kind once. Absent if not known, for example if the grade comes from the CSV
  /// file.
  std::optional<std::vector<Trouble>> troubles;
  /// The marks that a person gave instead of the program (hand_marks.h).
  std::optional<double> byHand;

  [[nodiscard]] double marks() const;     ///< The sum over the rows that were judged.
  [[nodiscard]] double of() const;        ///< The maximum of all rows.
  [[nodiscard]] bool wholeMarks() const;  ///< Whether every row was judged.
  /// The sum over all rows; absent if any row was not judged.
  [[nodiscard]] std::optional<double> judgedMarks() const;
  /// The marks by hand if there are any, else judgedMarks().
  [[nodiscard]] std::optional<double> total() const;
  /// Whether a person has to give the missing marks.
  [[nodiscard]] bool needsPerson() const;
};

/// Facts shared by all grades of a run.
struct RunFacts {
  uint64_t seed = 0;                  ///< The hidden seed.
  std::string rules;                  ///< Hash of the spec with its rules, in hexadecimal digits.
  std::string version;                ///< Tilestep's version.
  std::vector<std::string> sizes;     ///< The launches, as "m = 17, n = 33".
  std::vector<std::string> untested;  ///< Aspects that the rules do not test.
  std::string assignment;             ///< The spec's title.
};

}  // namespace tilestep::grade
