// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "ptx/ir.h"
#include "ptx/lexer.h"

namespace tilestep::ptx {

/// The .loc directives of one function: which source line is current, and through which call
/// sites it was inlined. Source: PTX ISA 9.0, section 11.5.3.
class SourceLines {
 public:
  /// Reads the rest of a .loc, the cursor standing after that word.
  void parse(Cursor& cursor);

  [[nodiscard]] const SourceLine& current() const { return current_; }
  /// The current line followed outward to the first one inside this function's own text (a
  /// lambda's body lies there), else to where nothing is inlined any more. Its text is taken to
  /// begin at its first .loc: the end is not written anywhere.
  [[nodiscard]] const SourceLine& outermost() const { return outermost_; }

 private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
  static Key keyOf(const SourceLine& line) { return {line.file, line.line, line.column}; }
  static SourceLine parseLine(Cursor& cursor);
  static bool parseInlining(Cursor& cursor, SourceLine& site);
  [[nodiscard]] SourceLine followOutward(SourceLine line) const;

  SourceLine current_;
  SourceLine outermost_;
  std::optional<SourceLine> begin_;  ///< Of the function.
  std::map<Key, SourceLine> inlinedAt_;  ///< The last .loc of a place decides.
};

}  // namespace tilestep::ptx
