// SPDX-License-Identifier: Apache-2.0
#include "compile/text/cuda_lexer.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "base/number_text.h"

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

constexpr size_t kLongestDelimiter = 16;  // Of a raw string ([lex.string]).

bool isWordLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<CudaToken> run() {
    while (at_ < source_.size()) step();
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] bool startsWith(std::string_view what) const {
    return source_.compare(at_, what.size(), what) == 0;
  }
  [[nodiscard]] char next(size_t ahead) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void step() {
    const char c = source_[at_];
    if (c == '\n') {
      lineStart_ = true;
      ++at_;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (startsWith("//")) {
      at_ = endOfLine(at_);
    } else if (startsWith("/*")) {
      skipComment();
    } else if (lineStart_ && (c == '#' || startsWith("%:"))) {
      add(Kind::directive, endOfDirective());
    } else {
      lineStart_ = false;
      piece(c);
    }
  }

  void piece(char c) {
    if (isDigit(c) || (c == '.' && isDigit(next(1)))) return add(Kind::number, endOfNumber());
    if (c == '"' || c == '\'') return add(Kind::text, endOfString(at_));
    if (isWordLetter(c)) return word();
    for (const std::string_view several : {"<<<", ">>>", "::"}) {
      if (startsWith(several)) return add(Kind::symbol, at_ + several.size());
    }
    add(Kind::symbol, at_ + 1);
  }

  void add(Kind kind, size_t end) {
    tokens_.push_back({kind, source_.substr(at_, end - at_)});
    at_ = end;
  }

  void skipComment() {
    const size_t end = source_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? source_.size() : end + 2;
  }

  /// The end of the line at `from`. A line that ends with a backslash continues on the next line.
  [[nodiscard]] size_t endOfLine(size_t from) const {
    while (true) {
      const size_t end = source_.find('\n', from);
      if (end == std::string_view::npos) return source_.size();
      size_t last = end;
      if (last > 0 && source_[last - 1] == '\r') --last;
      if (last == 0 || source_[last - 1] != '\\') return end;
      from = end + 1;
    }
  }

  /// The end of the directive: before a // comment, but after /* */ comments, which may span lines.
  [[nodiscard]] size_t endOfDirective() const {
    size_t end = endOfLine(at_);
    for (size_t i = at_; i + 1 < end; ++i) {
      if (source_[i] == '"' || source_[i] == '\'') {
        i = std::min(endOfString(i), end) - 1;
      } else if (source_.compare(i, 2, "//") == 0) {
        return i;
      } else if (source_.compare(i, 2, "/*") == 0) {
        const size_t close = source_.find("*/", i + 2);
        if (close == std::string_view::npos) return source_.size();
        end = std::max(end, endOfLine(close));
        i = close + 1;
      }
    }
    return end;
  }

  [[nodiscard]] size_t endOfNumber() const {
    size_t end = at_ + 1;
    while (end < source_.size()) {
      const char c = source_[end], before = source_[end - 1];
      const bool sign = (c == '+' || c == '-') &&
                        (before == 'e' || before == 'E' || before == 'p' || before == 'P');
      const bool separator =
          c == '\'' && end + 1 < source_.size() && isWordLetter(source_[end + 1]);
      if (!isWordLetter(c) && c != '.' && !sign && !separator) break;
      ++end;
    }
    return end;
  }

  [[nodiscard]] size_t endOfString(size_t from) const {
    const char quote = source_[from];
    for (size_t end = from + 1; end < source_.size(); ++end) {
      if (source_[end] == '\\') {
        ++end;
      } else if (source_[end] == quote) {
        return end + 1;
      } else if (source_[end] == '\n') {
        return end;
      }
    }
    return source_.size();
  }

  void word() {
    size_t end = at_;
    while (end < source_.size() && isWordLetter(source_[end])) ++end;
    const std::string_view text = source_.substr(at_, end - at_);
    const char after = end < source_.size() ? source_[end] : '\0';
    const bool raw = text == "R" || text == "LR" || text == "uR" || text == "UR" || text == "u8R";
    if (raw && after == '"') return add(Kind::text, endOfRawString(end));
    const bool prefix = text == "L" || text == "u" || text == "U" || text == "u8";
    if (prefix && (after == '"' || after == '\'')) return add(Kind::text, endOfString(end));
    add(Kind::word, end);
  }

  /// `quote` is the position of the " in R"delimiter(.
  [[nodiscard]] size_t endOfRawString(size_t quote) const {
    const size_t length = source_.substr(quote + 1, kLongestDelimiter + 1).find('(');
    if (length == std::string_view::npos) return endOfString(quote);
    const size_t open = quote + 1 + length;
    std::string close(1, ')');
    close += source_.substr(quote + 1, open - quote - 1);
    close += '"';
    const size_t end = source_.find(close, open);
    return end == std::string_view::npos ? source_.size() : end + close.size();
  }

  std::string_view source_;
  std::vector<CudaToken> tokens_;
  size_t at_ = 0;
  bool lineStart_ = true;
};

}  // namespace

std::vector<CudaToken> cudaTokens(std::string_view source) {
  return Lexer(source).run();
}

}  // namespace tilestep::compile
