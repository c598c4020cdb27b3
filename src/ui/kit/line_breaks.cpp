// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/line_breaks.h"

#include <algorithm>

namespace tilestep::ui {
namespace {

/// The number of bytes of the first character.
size_t characterLength(std::string_view text) {
  size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
    ++length;
  return length;
}

class Breaker {
 public:
  Breaker(std::string_view text, float width, const WidthOf& widthOf,
          std::vector<std::string_view>& lines)
      : text_(text), width_(width), widthOf_(widthOf), lines_(lines) {}

  void run() {
    for (size_t at = 0; at < text_.size();) {
      const size_t word = std::min(text_.find_first_not_of(' ', at), text_.size());
      const size_t end = std::min(text_.find(' ', word), text_.size());
      take(at, word, end);
      at = end;
    }
    lines_.push_back(text_.substr(line_));
  }

 private:
  /// Adds the spaces from `at` to `word`, and the word from `word` to `end`.
  void take(size_t at, size_t word, size_t end) {
    const float spaces = widthOf_(text_.substr(at, word - at));
    const float wide = widthOf_(text_.substr(word, end - word));
    if (at > line_ && word < end && used_ + spaces + wide > width_) {
      lines_.push_back(text_.substr(line_, at - line_));
      line_ = word;
      used_ = 0;
    } else {
      used_ += spaces;
    }
    if (used_ + wide > width_)
      cut(word, end);
    else
      used_ += wide;
  }

  /// Breaks a word that is wider than a line.
  void cut(size_t at, size_t end) {
    while (at < end) {
      const size_t length = characterLength(text_.substr(at, end - at));
      const float wide = widthOf_(text_.substr(at, length));
      if (at > line_ && used_ + wide > width_) {
        lines_.push_back(text_.substr(line_, at - line_));
        line_ = at;
        used_ = 0;
      }
      used_ += wide;
      at += length;
    }
  }

  std::string_view text_;
  float width_;
  const WidthOf& widthOf_;
  std::vector<std::string_view>& lines_;
  size_t line_ = 0;  ///< Start of the current line.
  float used_ = 0;   ///< Its width so far.
};

}  // namespace

std::vector<std::string_view> linesOf(std::string_view text, float width, const WidthOf& widthOf) {
  std::vector<std::string_view> lines;
  for (;;) {
    const size_t end = text.find('\n');
    Breaker(text.substr(0, end), width, widthOf, lines).run();
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

}  // namespace tilestep::ui
