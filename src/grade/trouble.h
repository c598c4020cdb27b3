// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::grade {

/// A finding in a submission. Submissions are grouped by their findings.
struct Trouble {
  std::string kind;  ///< One of troubleWords(): "guard".
  /// A message or a counter that distinguishes troubles of one kind; may be empty.
  std::string detail;
  double times = 0;  ///< For a count: the submission's ÷ the solution's; 0 if the solution's is 0.
  bool operator==(const Trouble&) const = default;
};

/// The words for a kind of trouble on the teacher's pages.
struct TroubleWords {
  std::string_view kind;
  const char* one;       ///< "has no guard"
  const char* many;      ///< "have no guard"
  const char* sentence;  ///< An explanation; may be empty.
};

/// Null if there is no such kind.
[[nodiscard]] const TroubleWords* troubleWords(std::string_view kind);

/// The kind's position among all kinds, for sorting.
[[nodiscard]] size_t troubleOrder(std::string_view kind);

}  // namespace tilestep::grade
