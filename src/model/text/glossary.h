// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace tilestep::model {

/// A term of the field, explained in a sentence or two and by a small picture.
struct Term {
  std::string_view name;
  /// Words in a text that stand for it, separated by blanks, in small letters where the case does
  /// not matter. Empty: none is looked for.
  std::string_view words;
  std::string_view text;
  /// Rows of cells, separated by slashes: `.` empty, `#` used now, `o` of another colour, `x`
  /// wrong,
  /// `>` an arrow, `-` and `!` a bar, a blank nothing.
  std::string_view picture;
};

/// All terms, from threads over memory to speed.
[[nodiscard]] std::span<const Term> glossary();

/// The term that a word of a text stands for, without regard to case and to marks around it; null
/// where it stands for none.
[[nodiscard]] const Term* termOf(std::string_view word);

}  // namespace tilestep::model
