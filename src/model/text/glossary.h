// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace tilestep::model {

/// A term of the field, explained by a sentence or two and a small picture.
struct Term {
  std::string_view name;
  /// Words in a text that refer to it, separated by blanks; in lower case if the case does not
  /// matter. Empty: not looked up.
  std::string_view words;
  std::string_view text;
  /// Rows of cells, separated by slashes: `.` empty, `#` in use, `o` in another colour, `x` wrong,
  /// `>` an arrow, `-` and `!` a bar, a blank nothing.
  std::string_view picture;
};

/// All terms, ordered from threads through memory to speed.
[[nodiscard]] std::span<const Term> glossary();

/// The term that a word of a text refers to, ignoring case and surrounding punctuation; null if
/// there is none.
[[nodiscard]] const Term* termOf(std::string_view word);

}  // namespace tilestep::model
