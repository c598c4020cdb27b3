// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace tilestep::model {

/// A term of CUDA or of this program, explained by a sentence or two and a small picture.
struct Term {
  std::string_view name;
  /// Words in a text that refer to the term, separated by blanks, in lower case if case does not
  /// matter. If empty, no word refers to it.
  std::string_view words;
  std::string_view text;
  /// Rows of cells, separated by slashes. `.` is an empty cell, `#` a used cell, `o` a cell in
  /// another colour, `x` a wrong cell, `>` an arrow, `-` and `!` a bar, and a blank is nothing.
  std::string_view picture;
};

/// All terms, ordered from threads through memory to speed.
[[nodiscard]] std::span<const Term> glossary();

/// The term that a word of a text refers to, ignoring case and surrounding punctuation; null if
/// there is none.
[[nodiscard]] const Term* termOf(std::string_view word);

}  // namespace tilestep::model
