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

/// The .loc directives of one function: source lines, and the call sites of inlined code. Source:
/// PTX ISA 9.0, section 11.5.3.
class SourceLines {
 public:
  /// Reads a .loc directive after the word ".loc".
  void parse(Cursor& cursor);
  /// Skips a .loc directive in inline assembly, which does not set the current line.
  static void skip(Cursor& cursor) { SourceLines().parse(cursor); }

  [[nodiscard]] const SourceLine& current() const { return current_; }

  /// The number of .loc directives so far; 0 if there are none. It identifies the last .loc in the
  /// functions below, which need all directives.
  [[nodiscard]] size_t place() const { return places_.size(); }
  /// The key of the inlined function whose source contains the line, or 0 for the function itself.
  [[nodiscard]] uint32_t functionAt(size_t place) const;
  /// Follows the inlined calls outward, starting at the line of `place`, to the first line that is
  /// in the function itself (such as in a lambda), or in a function of the same file whose key is
  /// in `shown`. If there is none, returns the line of the outermost call. The function is assumed
  /// to begin at the line of its first .loc; PTX does not record its end.
  [[nodiscard]] SourceLine shownLine(size_t place, const std::set<uint32_t>& shown) const;

 private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
  struct Frame {
    SourceLine line;
    uint32_t function = 0;   ///< Key of an inlined function; 0 for the function itself.
    uint32_t outer = kNone;  ///< Index of the call's frame; kNone if not inlined.
  };
  static Key keyOf(const SourceLine& line) { return {line.file, line.line, line.column}; }
  static SourceLine parseLine(Cursor& cursor);
  /// The inlined function's key and the call's line, in the rest of a .loc.
  std::optional<std::pair<uint32_t, SourceLine>> parseInlining(Cursor& cursor);
  uint32_t keyOf(const std::string& name);
  uint32_t addFrame(const Frame& frame);
  uint32_t frameAt(const SourceLine& line);
  /// The frames of the place, from the innermost outward.
  [[nodiscard]] std::vector<Frame> chainFrom(size_t place) const;
  [[nodiscard]] bool isOwnFile(const Frame& frame) const;

  SourceLine current_;
  std::optional<SourceLine> begin_;            ///< The first line of the function.
  std::map<Key, uint32_t> latest_;             ///< For each line, the frame of its last .loc.
  std::map<std::string, uint32_t> functions_;  ///< From names to keys, which start at 1.
  std::vector<Frame> frames_;
  std::vector<uint32_t> places_;  ///< For each .loc, its frame.
};

}  // namespace tilestep::ptx
