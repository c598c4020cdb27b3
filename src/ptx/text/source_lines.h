// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ptx/ir.h"
#include "ptx/text/lexer.h"

namespace tilestep::ptx {

/// The .loc directives of one function: which source line is current, and through which call
/// sites it was inlined. Source: PTX ISA 9.0, section 11.5.3.
class SourceLines {
 public:
  /// Reads the rest of a .loc, the cursor standing after that word.
  void parse(Cursor& cursor);

  [[nodiscard]] const SourceLine& current() const { return current_; }

  /// A number of the current .loc, for the calls below once all are read; 0: there was none yet.
  [[nodiscard]] size_t place() const { return chains_.size(); }
  /// A key of the function, inlined here or the one itself, in whose text the place stands.
  [[nodiscard]] uint32_t functionAt(size_t place) const;
  /// The place's line followed outward to the first one in the text of the function itself (a
  /// lambda's body lies there) or of one of those `shown` that stands in the same file, else to
  /// where nothing is inlined any more. A function's own text is taken to begin at its first .loc:
  /// the end is not written anywhere.
  [[nodiscard]] SourceLine shownLine(size_t place, const std::set<uint32_t>& shown) const;

 private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t>;
  struct Frame {
    SourceLine line;
    uint32_t function = 0;  ///< Key of its name; 0: the function itself.
  };
  struct Site {
    SourceLine line;
    uint32_t function = 0;  ///< That was inlined there.
  };
  static Key keyOf(const SourceLine& line) { return {line.file, line.line, line.column}; }
  static SourceLine parseLine(Cursor& cursor);
  std::optional<Site> parseInlining(Cursor& cursor);
  uint32_t keyOf(const std::string& name);
  [[nodiscard]] std::vector<Frame> followOutward(SourceLine line) const;
  [[nodiscard]] bool isOwnFile(const Frame& frame) const;

  SourceLine current_;
  std::optional<SourceLine> begin_;            ///< Where the function begins.
  std::map<Key, Site> inlinedAt_;              ///< The last .loc of a place decides.
  std::map<std::string, uint32_t> functions_;  ///< Keys by name, from 1.
  std::vector<std::vector<Frame>> chains_;     ///< By .loc, the innermost line first.
};

}  // namespace tilestep::ptx
