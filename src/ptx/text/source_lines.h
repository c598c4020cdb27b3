// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ptx/ir.h"
#include "ptx/text/lexer.h"

namespace tilestep::ptx {

/// The .loc directives of one function: the current source line, and the call sites through which
/// it was inlined. Source: PTX ISA 9.0, section 11.5.3.
class SourceLines {
 public:
  /// Reads the rest of a .loc after that word.
  void parse(Cursor& cursor);
  /// Reads it without keeping it: .loc directives in inline assembly do not set the current line.
  static void skip(Cursor& cursor) { SourceLines().parse(cursor); }

  [[nodiscard]] const SourceLine& current() const { return current_; }

  /// The number of the current .loc, an argument of the functions below once all are read; 0: none
  /// yet.
  [[nodiscard]] size_t place() const { return places_.size(); }
  /// The key of the function, inlined here or the function itself, whose text contains the place.
  [[nodiscard]] uint32_t functionAt(size_t place) const;
  /// Follows the place's line outward to the first one that is in the text of the function itself
  /// (such as a lambda's body) or of a function in `shown` in the same file; otherwise to the
  /// outermost call. The function's own text is assumed to begin at its first .loc; PTX does not
  /// record its end.
  [[nodiscard]] SourceLine shownLine(size_t place, const std::set<uint32_t>& shown) const;

 private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
  struct Frame {
    SourceLine line;
    uint32_t function = 0;   ///< Key of its name; 0: the function itself.
    uint32_t outer = kNone;  ///< The frame of the call, in frames_; kNone: not inlined.
  };
  static Key keyOf(const SourceLine& line) { return {line.file, line.line, line.column}; }
  static SourceLine parseLine(Cursor& cursor);
  /// The function and the call in the rest of a .loc.
  std::optional<std::pair<uint32_t, SourceLine>> parseInlining(Cursor& cursor);
  uint32_t keyOf(const std::string& name);
  uint32_t addFrame(const Frame& frame);
  uint32_t frameAt(const SourceLine& line);
  /// The frames from the place outward.
  [[nodiscard]] std::vector<Frame> chainFrom(size_t place) const;
  [[nodiscard]] bool isOwnFile(const Frame& frame) const;

  SourceLine current_;
  std::optional<SourceLine> begin_;            ///< Where the function begins.
  std::map<Key, uint32_t> latest_;             ///< The frame of the last .loc of a line.
  std::map<std::string, uint32_t> functions_;  ///< Keys by name, from 1.
  std::vector<Frame> frames_;
  std::vector<uint32_t> places_;  ///< By .loc: its frame.
};

}  // namespace tilestep::ptx
