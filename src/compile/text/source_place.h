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

/// A position in C++ source, between characters as the preprocessor sees them: lines that end with
/// a backslash are joined, and every line ends with '\n'. A step takes constant time.
class SourcePlace {
 public:
  explicit SourcePlace(std::string_view text) : text_(text) { join(); }

  [[nodiscard]] bool isAtEnd() const { return at_ >= text_.size(); }
  /// The next character; '\0' at the end.
  [[nodiscard]] char now() const;
  /// The character after now().
  [[nodiscard]] char next() const;
  void step();

  [[nodiscard]] int line() const { return line_; }
  /// The offset of the next character in the source.
  [[nodiscard]] size_t offset() const { return at_; }
  /// Whether `what` is here, at the start of a line that is not joined to the previous one.
  [[nodiscard]] bool beginsLineWith(std::string_view what) const;

  /// The line of the last passed backslash that is followed by blanks and the end of its line, and
  /// so joins lines only in some compilers; 0 if none.
  [[nodiscard]] int doubtfulJoin() const { return doubtfulJoin_; }
  void setDoubtfulJoin(int line) { doubtfulJoin_ = line; }

  /// The position after the raw string whose first quote is here. Nullopt if the string is not
  /// closed, or if its delimiter is not plain (at most 16 letters, digits and a few symbols).
  [[nodiscard]] std::optional<SourcePlace> behindRawString() const;
  /// The source from this position to `end`, a later position.
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
