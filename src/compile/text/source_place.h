// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tilestep::compile {

/// Blank space within a line.
[[nodiscard]] constexpr bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}

/// A place in a C++ text, between characters as the preprocessor sees them: lines that end in a
/// backslash are joined, and every end of a line is '\n'. Steps take constant time.
class SourcePlace {
 public:
  explicit SourcePlace(std::string_view text) : text_(text) { join(); }

  [[nodiscard]] bool isAtEnd() const { return at_ >= text_.size(); }
  /// '\0' at the end.
  [[nodiscard]] char now() const;
  /// The character behind that one.
  [[nodiscard]] char next() const;
  void step();

  [[nodiscard]] int line() const { return line_; }
  /// Of the next character in the text.
  [[nodiscard]] size_t offset() const { return at_; }
  /// Whether the rest of the text begins with this, and no joined line comes before it.
  [[nodiscard]] bool beginsLineWith(std::string_view what) const;

  /// The line of the last backslash that was passed with blanks between it and the end of its line,
  /// which joins lines for some compilers only; 0: none was.
  [[nodiscard]] int doubtfulJoin() const { return doubtfulJoin_; }
  void setDoubtfulJoin(int line) { doubtfulJoin_ = line; }

  /// Behind the raw string whose first quote is here. What is in it is taken as it is written.
  /// Nothing where its mark is not plain (at most 16 letters, digits and a few signs), or where it
  /// has no end.
  [[nodiscard]] std::optional<SourcePlace> behindRawString() const;
  /// The text from here up to `end`, a later place in it.
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
