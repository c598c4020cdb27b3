// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tilestep::compile {

/// Whitespace within a line.
[[nodiscard]] constexpr bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

/// A position in a C++ text, between characters as the preprocessor sees them: lines that end in a
/// backslash are joined, and every end of a line is '\n'. Steps take constant time.
class SourcePlace {
 public:
  explicit SourcePlace(std::string_view text) : text_(text) { join(); }

  [[nodiscard]] bool isAtEnd() const { return at_ >= text_.size(); }
  /// '\0' at the end.
  [[nodiscard]] char now() const;
  /// The character after that one.
  [[nodiscard]] char next() const;
  void step();

  [[nodiscard]] int line() const { return line_; }
  /// The offset of the next character in the text.
  [[nodiscard]] size_t offset() const { return at_; }
  /// Whether the rest of the text begins with `what`, without a joined line before it.
  [[nodiscard]] bool beginsLineWith(std::string_view what) const;

  /// The line of the last passed backslash with blanks between it and the end of its line, which
  /// joins lines for some compilers only; 0: none.
  [[nodiscard]] int doubtfulJoin() const { return doubtfulJoin_; }
  void setDoubtfulJoin(int line) { doubtfulJoin_ = line; }

  /// The position after the raw string whose first quote is here. Its content is not interpreted.
  /// Nullopt if its delimiter is not plain (at most 16 letters, digits and a few symbols), or if it
  /// is unterminated.
  [[nodiscard]] std::optional<SourcePlace> behindRawString() const;
  /// The text from here to `end`, a later position.
  [[nodiscard]] std::string_view upTo(const SourcePlace& end) const {
    return text_.substr(at_, end.at_ - at_);
  }

 private:
  [[nodiscard]] bool isPairOfEnds(size_t i) const;
  void join();

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  int doubtfulJoin_ = 0;
};

}  // namespace tilestep::compile
