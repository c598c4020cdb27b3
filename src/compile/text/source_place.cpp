// SPDX-License-Identifier: Apache-2.0
#include "compile/text/source_place.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace tilestep::compile {
namespace {

constexpr size_t kLongestMark = 16;  // The delimiter of a raw string ([lex.string]).

/// Whether all compilers accept `mark` as a raw string's delimiter.
bool isMark(std::string_view mark) {
  return mark.size() <= kLongestMark && std::ranges::all_of(mark, [](unsigned char c) {
           return c < 0x80 && (std::isalnum(c) != 0 ||
                               std::string_view("_-=*+~.:!").find(static_cast<char>(c)) !=
                                   std::string_view::npos);
         });
}

}  // namespace

char SourcePlace::now() const {
  if (isAtEnd()) return '\0';
  return text_[at_] == '\r' ? '\n' : text_[at_];
}

char SourcePlace::next() const {
  SourcePlace ahead = *this;
  ahead.step();
  return ahead.now();
}

void SourcePlace::step() {
  if (isAtEnd()) return;
  if (now() == '\n') ++line_;
  at_ += isPairOfEnds(at_) ? 2 : 1;
  join();
}

bool SourcePlace::beginsLineWith(std::string_view what) const {
  return (at_ == 0 || text_[at_ - 1] == '\n') && text_.substr(at_).starts_with(what);
}

std::optional<SourcePlace> SourcePlace::behindRawString() const {
  const size_t open = text_.substr(0, at_ + kLongestMark + 2).find('(', at_);
  if (open == std::string_view::npos) return std::nullopt;
  const std::string_view mark = text_.substr(at_ + 1, open - at_ - 1);
  if (!isMark(mark)) return std::nullopt;
  const std::string close = ")" + std::string(mark) + "\"";
  const size_t found = text_.find(close, open + 1);
  if (found == std::string_view::npos) return std::nullopt;
  SourcePlace behind = *this;
  behind.at_ = found + close.size();
  behind.line_ += static_cast<int>(std::ranges::count(upTo(behind), '\n'));
  behind.join();
  return behind;
}

bool SourcePlace::isPairOfEnds(size_t i) const {
  return text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
}

/// Skips backslashes that join lines, including backslashes with blanks before the end of the line.
void SourcePlace::join() {
  while (at_ < text_.size() && text_[at_] == '\\') {
    size_t end = at_ + 1;
    while (end < text_.size() && isBlank(text_[end])) ++end;
    if (end >= text_.size() || (text_[end] != '\n' && text_[end] != '\r')) return;
    if (end > at_ + 1) doubtfulJoin_ = line_;
    at_ = end + (isPairOfEnds(end) ? 2 : 1);
    ++line_;
  }
}

}  // namespace tilestep::compile
