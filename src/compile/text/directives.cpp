// SPDX-License-Identifier: Apache-2.0
#include "compile/text/directives.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <vector>

#include "compile/text/device_part.h"

namespace tilestep::compile {
namespace {

constexpr char kEnd = '\0';

bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\f' || c == '\v';
}
bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// A place in the text, between characters as the preprocessor sees them: joined lines, and every
/// end of a line as '\n'.
class Place {
 public:
  explicit Place(std::string_view text) : text_(text) { join(); }

  [[nodiscard]] bool isAtEnd() const { return at_ >= text_.size(); }
  [[nodiscard]] char now() const {
    if (isAtEnd()) return kEnd;
    return text_[at_] == '\r' ? '\n' : text_[at_];
  }
  [[nodiscard]] char next() const {
    Place ahead = *this;
    ahead.step();
    return ahead.now();
  }
  void step() {
    if (isAtEnd()) return;
    if (now() == '\n') ++line_;
    at_ += isPairOfEnds(at_) ? 2 : 1;
    join();
  }
  [[nodiscard]] int line() const { return line_; }

  /// Behind a raw string whose first quote is here, or at the end of the text. What is in it is
  /// taken as it is written. Nothing where no raw string is here.
  [[nodiscard]] std::optional<Place> behindRawString() const {
    const size_t open = text_.find('(', at_);
    constexpr size_t kLongestMark = 16;
    if (open == std::string_view::npos || open - at_ - 1 > kLongestMark) return std::nullopt;
    const std::string_view mark = text_.substr(at_ + 1, open - at_ - 1);
    if (mark.find_first_of(" \t\r\n\\)\"") != std::string_view::npos) return std::nullopt;
    const std::string close = ")" + std::string(mark) + "\"";
    const size_t found = text_.find(close, open + 1);
    Place behind = *this;
    const size_t end = found == std::string_view::npos ? text_.size() : found + close.size();
    for (size_t i = at_; i < end; ++i) behind.line_ += endsLine(i) ? 1 : 0;
    behind.at_ = end;
    behind.join();
    return behind;
  }

 private:
  [[nodiscard]] bool isPairOfEnds(size_t i) const {
    return text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
  }
  /// The last character of an end of a line.
  [[nodiscard]] bool endsLine(size_t i) const {
    return text_[i] == '\n' || (text_[i] == '\r' && !isPairOfEnds(i));
  }
  /// Goes past backslashes that join lines; blanks may stand between one and the end of its line.
  void join() {
    while (at_ < text_.size() && text_[at_] == '\\') {
      size_t end = at_ + 1;
      while (end < text_.size() && isBlank(text_[end])) ++end;
      if (end >= text_.size() || (text_[end] != '\n' && text_[end] != '\r')) return;
      at_ = end + (isPairOfEnds(end) ? 2 : 1);
      ++line_;
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
};

/// What the preprocessor may not be asked.
constexpr std::array kQuestions = {"__has_include", "__has_include_next", "__has_embed"};
constexpr std::array kFilePragmas = {"dependency", "include_alias", "hdrstop", "import"};
constexpr std::string_view kRemedy =
    "a kernel may include only headers of the device, such as <cuda_fp16.h> and <cstdint>: put "
    "the code that it needs into its own file";

class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : at_(text), path_(path) {}

  Status check() {
    bool isLineStart = true;
    while (!at_.isAtEnd()) {
      const char c = at_.now();
      if (c == '\n') {
        isLineStart = true;
        at_.step();
      } else if (isBlank(c)) {
        at_.step();
      } else if (skipComment()) {
        continue;
      } else if (isLineStart && skipSign()) {
        if (Status judged = directive(); !judged) return judged;
      } else {
        isLineStart = false;
        if (Status judged = piece(nullptr); !judged) return judged;
      }
    }
    return {};
  }

 private:
  /// #, or what stands for it: %: and the old trigraph.
  bool skipSign() {
    size_t length = 0;
    Place ahead = at_;
    std::string seen;
    for (int i = 0; i < 3 && !ahead.isAtEnd(); ++i, ahead.step()) seen += ahead.now();
    if (seen.starts_with("#")) length = 1;
    if (seen.starts_with("%:")) length = 2;
    if (seen.starts_with("?"
                         "?="))
      length = 3;
    for (size_t i = 0; i < length; ++i) at_.step();
    return length > 0;
  }

  bool skipComment() {
    if (at_.now() != '/') return false;
    const char next = at_.next();
    if (next == '/') {
      while (!at_.isAtEnd() && at_.now() != '\n') at_.step();
      return true;
    }
    if (next != '*') return false;
    at_.step();
    at_.step();
    while (!at_.isAtEnd() && !(at_.now() == '*' && at_.next() == '/')) at_.step();
    at_.step();
    at_.step();
    return true;
  }

  /// A word, number, literal or sign. Appends it to `words`, if there are any.
  Status piece(std::vector<std::string>* words) {
    std::string text;
    const int line = at_.line();
    const char c = at_.now();
    if (c == '"' || c == '\'') {
      text = literal(c);
    } else if (isDigit(c)) {
      while (isWord(at_.now()) || at_.now() == '.' || (at_.now() == '\'' && isWord(at_.next())))
        take(text);
    } else if (isWord(c)) {
      while (isWord(at_.now())) take(text);
      if (std::ranges::find(kQuestions, text) != kQuestions.end())
        return refused(line, text + " is not taken");
      const bool isRaw =
          text == "R" || text == "LR" || text == "uR" || text == "UR" || text == "u8R";
      if (isRaw && at_.now() == '"') {
        if (const auto behind = at_.behindRawString()) {
          if (words != nullptr && behind->line() != at_.line())
            return refused(line, "A raw string in a directive must end on its line");
          at_ = *behind;
        }
      }
    } else {
      take(text);
    }
    if (words != nullptr) words->push_back(std::move(text));
    return {};
  }
  void take(std::string& text) {
    text += at_.now();
    at_.step();
  }
  /// Up to the same quote, at most to the end of the line.
  std::string literal(char quote) {
    std::string text;
    take(text);
    while (!at_.isAtEnd() && at_.now() != '\n' && at_.now() != quote) {
      if (at_.now() == '\\') take(text);
      if (!at_.isAtEnd() && at_.now() != '\n') take(text);
    }
    if (at_.now() == quote) take(text);
    return text;
  }

  /// Behind its sign.
  Status directive() {
    const int line = at_.line();
    std::vector<std::string> words;
    while (!at_.isAtEnd() && at_.now() != '\n') {
      if (isBlank(at_.now())) {
        at_.step();
      } else if (words.size() == 1 && words[0] == "include" && isHeaderName()) {
        words.push_back(headerName());
      } else if (!skipComment()) {
        if (Status read = piece(&words); !read) return read;
      }
    }
    return judge(words, line);
  }

  [[nodiscard]] bool isHeaderName() const { return at_.now() == '<' || at_.now() == '"'; }
  /// In it backslashes and the beginnings of comments mean nothing.
  std::string headerName() {
    std::string name;
    const char close = at_.now() == '<' ? '>' : '"';
    take(name);
    while (!at_.isAtEnd() && at_.now() != '\n' && at_.now() != close) take(name);
    if (at_.now() == close) take(name);
    return name;
  }

  [[nodiscard]] Status judge(const std::vector<std::string>& words, int line) const {
    if (words.empty()) return {};
    const std::string& name = words[0];
    if (name == "line" || isDigit(name[0]))
      return refused(line, "#line is not taken: messages name the lines of the file itself");
    if (name == "pragma" && words.size() > 1) {
      for (const char* word : kFilePragmas)
        if (std::ranges::find(words, word) != words.end())
          return refused(line, "#pragma " + words[1] + " with " + word + " is not taken");
      return {};
    }
    if (name == "include") {
      const std::string header = words.size() == 2 ? words[1] : std::string();
      if (header.size() > 2 && isIncludable(header.substr(1, header.size() - 2))) return {};
      return refused(line, "#include " + (header.empty() ? "of what a macro says" : header) +
                               " is not taken: " + std::string(kRemedy));
    }
    if (name == "include_next" || name == "import" || name == "embed")
      return refused(line, "#" + name + " is not taken: " + std::string(kRemedy));
    return {};
  }

  [[nodiscard]] Error refused(int line, std::string message) const {
    Error error = requestError(std::move(message));
    error.where = TextLocation{path_, line, 0};
    return error;
  }

  Place at_;
  const std::string& path_;
};

}  // namespace

Status checkDirectives(std::string_view text, const std::string& path) {
  return Reader(text, path).check();
}

}  // namespace tilestep::compile
