// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grade/trouble.h"

/// What grading found of one submission: a value that the reports print.
namespace tilestep::grade {

enum class Verdict : uint8_t {
  right,     ///< Nothing was found at any launch.
  wrong,     ///< Something was.
  refused,   ///< It is no file that may be run: it reads other files, it is a link, it is too long.
  unjudged,  ///< It could not be found out, by no fault that was proven.
  failed,    ///< The grader failed; grading it again may help.
};
inline constexpr size_t kVerdicts = 5;
[[nodiscard]] const char* nameOf(Verdict verdict);
[[nodiscard]] std::optional<Verdict> verdictNamed(const std::string& name);

/// One line of the marks.
struct Row {
  std::string name;             ///< "result", or the counter of a count.
  std::optional<double> marks;  ///< Nothing: it was not judged, which is not zero.
  double of = 0;
  std::string why;  ///< Why it is not all of them, in a sentence without hidden data; may be empty.
};

/// A count of several launches together, beside the solution's.
struct CountResult {
  std::string counter;
  uint64_t submission = 0, solution = 0;
  double atMost = 1;        ///< Times the solution's.
  bool atDefaults = false;  ///< Of the launches with the default tunables alone.
};

/// Where the first failure shows itself. It holds no values; an index or a number of barriers tells
/// that some size is at least so large.
struct FailurePlace {
  std::string element;            ///< "P[0][5]"; empty: it is not an element that is wrong.
  bool written = true;            ///< Whether the element was written.
  int line = 0;                   ///< Of the file, from 1; 0: not known.
  std::optional<uint32_t> epoch;  ///< How many barriers the block had passed.
  std::string what;               ///< "read-after-write on Mds[0][3]"; may be empty.
};

/// The most marks that are read as given by hand; more is a slip of the pen.
inline constexpr double kMostByHand = 1e6;

struct Grade {
  std::string id;
  std::string file;  ///< As it was found below the folder that was given.
  std::string hash;  ///< Of its bytes: 64-bit FNV-1a; empty: it was not read.
  Verdict verdict = Verdict::failed;
  std::string reason;      ///< In sentences; empty where it is right and earns all marks.
  std::string forStudent;  ///< The same as far as it holds no hidden data; not in the CSV file.
  std::vector<Row> rows;
  std::vector<CountResult> counts;
  std::optional<FailurePlace> place;
  std::optional<size_t> failedAt;  ///< The launch at which something failed first.
  std::string command;  ///< Repeats that launch; empty where there is none. For the teacher.
  double seconds = 0;
  /// What was found, each thing once; none where nothing was. Nothing: it is not known, as of a
  /// grade that only the CSV file has kept.
  std::optional<std::vector<Trouble>> troubles;
  /// The marks that a person gave instead (hand_marks.h).
  std::optional<double> byHand;

  [[nodiscard]] double marks() const;     ///< Of the rows that were judged.
  [[nodiscard]] double of() const;        ///< The most that all rows give.
  [[nodiscard]] bool wholeMarks() const;  ///< Every row was judged.
  /// Of all rows; nothing where one was not judged.
  [[nodiscard]] std::optional<double> judgedMarks() const;
  /// By hand, else those.
  [[nodiscard]] std::optional<double> total() const;
  /// Whether nobody gave marks for what the program did not find out.
  [[nodiscard]] bool needsPerson() const;
};

/// What all grades of a run have in common.
struct RunFacts {
  uint64_t seed = 0;                  ///< The hidden seed.
  std::string rules;                  ///< Hash of the spec with its rules, in hexadecimal digits.
  std::string version;                ///< Of Tilestep.
  std::vector<std::string> sizes;     ///< The launches, as "m = 17, n = 33".
  std::vector<std::string> untested;  ///< What the rules do not test.
  std::string assignment;             ///< The spec's title.
};

}  // namespace tilestep::grade
