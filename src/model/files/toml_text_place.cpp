// SPDX-License-Identifier: Apache-2.0
#include "model/files/toml_text_place.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace tilestep::model {
namespace {

bool continuesCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  [[nodiscard]] bool isAtEnd() const { return at_ >= text_.size(); }
  [[nodiscard]] const TextPlace& place() const { return place_; }
  [[nodiscard]] bool sees(std::string_view what) const {
    return text_.substr(std::min(at_, text_.size())).starts_with(what);
  }
  [[nodiscard]] std::string_view next(size_t count) const {
    return text_.substr(std::min(at_, text_.size()), count);
  }
  void skip(size_t count) {
    for (; count > 0 && !isAtEnd(); --count) {
      if (text_[at_] == '\n') {
        ++place_.line;
        place_.column = 1;
      } else if (at_ + 1 >= text_.size() || !continuesCharacter(text_[at_ + 1])) {
        ++place_.column;
      }
      ++at_;
    }
  }
  void goTo(const TextPlace& to) {
    const auto isBefore = [&] {
      return place_.line < to.line || (place_.line == to.line && place_.column < to.column);
    };
    while (!isAtEnd() && isBefore()) skip(1);
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  TextPlace place_;
};

size_t utf8Bytes(uint32_t character) {
  return character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
}

constexpr std::string_view kBlanks = " \t\r\n";

/// Whether a line continuation follows: blanks and line breaks after the backslash are not part of
/// the value.
bool joinsLines(const Walker& walker) {
  const std::string_view sign = walker.next(2);
  return sign.size() == 2 && sign[0] == '\\' && kBlanks.find(sign[1]) != std::string_view::npos;
}

void skipJoint(Walker& walker) {
  walker.skip(1);
  while (!walker.isAtEnd() && kBlanks.find(walker.next(1)[0]) != std::string_view::npos)
    walker.skip(1);
}

/// Skips an escape sequence. Returns the number of bytes in the value that it represents.
size_t skipEscape(Walker& walker) {
  const std::string_view sign = walker.next(2);
  const char kind = sign.size() > 1 ? sign[1] : '\0';
  const size_t digits = kind == 'u' ? 4 : kind == 'U' ? 8 : kind == 'x' ? 2 : 0;
  if (digits == 0) {
    walker.skip(2);
    return 1;
  }
  const std::string_view whole = walker.next(2 + digits), number = whole.substr(sign.size());
  uint32_t character = 0;
  std::from_chars(number.data(), number.data() + number.size(), character, 16);
  walker.skip(2 + digits);
  return utf8Bytes(character);
}

}  // namespace

TextPlace placeInToml(std::string_view text, const TextPlace& start, size_t at) {
  Walker walker(text);
  walker.goTo(start);
  const bool escapes = walker.sees("\"");
  if (!escapes && !walker.sees("'")) return start;
  const bool isLong = walker.sees("\"\"\"") || walker.sees("'''");
  walker.skip(isLong ? 3 : 1);
  if (isLong && walker.sees("\n"))
    walker.skip(1);  // A line break after the opening quotes is ignored.
  for (size_t bytes = 0; !walker.isAtEnd();) {
    if (escapes && joinsLines(walker)) {
      skipJoint(walker);
    } else if (bytes >= at) {
      break;
    } else if (escapes && walker.sees("\\")) {
      bytes += skipEscape(walker);
    } else {
      walker.skip(1);
      ++bytes;
    }
  }
  return walker.place();
}

}  // namespace tilestep::model
