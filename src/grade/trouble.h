// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::grade {

/// One thing that grading found of a submission, so that submissions that share it can be told
/// together.
struct Trouble {
  std::string kind;  ///< As troubleWords() knows it: "guard".
  std::string
      detail;        ///< What tells troubles of one kind apart: a message, or a counter; or empty.
  double times = 0;  ///< Of a count: the submission's over the solution's; 0: that has none.
  bool operator==(const Trouble&) const = default;
};

/// A kind of trouble, as a teacher speaks of it.
struct TroubleWords {
  std::string_view kind;
  const char* one;       ///< What a submission does: "lacks a guard".
  const char* many;      ///< What several do: "lack a guard".
  const char* sentence;  ///< What that is; may be empty.
};

/// Null where there is no such kind.
[[nodiscard]] const TroubleWords* troubleWords(std::string_view kind);

/// The kind's place among all of them, which decides the order where nothing else does.
[[nodiscard]] size_t troubleOrder(std::string_view kind);

}  // namespace tilestep::grade
