// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/lexer.h"

#include <algorithm>

#include "base/number_text.h"
#include "ptx/text/literal.h"

namespace tilestep::ptx {
namespace {

// Unlike std::isalpha, independent of the locale.
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool startsWord(char c) {
  return isLetter(c) || c == '_' || c == '$' || c == '%';
}
bool continuesWord(char c) {
  return startsWord(c) || isDigit(c);
}
bool continuesSuffix(char c) {
  return continuesWord(c) || c == ':';
}

constexpr size_t kQuoteLength = 40;

}  // namespace

char Lexer::at(size_t ahead) const {
  return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
}

void Lexer::newLine() {
  ++line_;
  lineStart_ = position_ + 1;
}

void Lexer::skipLine() {
  while (position_ < text_.size() && text_[position_] != '\n') ++position_;
}

/// NVRTC and clang write these comments around inline assembly.
void Lexer::takeMark() {
  std::string_view comment = text_.substr(position_, text_.find('\n', position_) - position_);
  while (comment.ends_with(' ') || comment.ends_with('\r')) comment.remove_suffix(1);
  if (comment == "// begin inline asm") inInlineAsm_ = true;
  if (comment == "// end inline asm") inInlineAsm_ = false;
}

void Lexer::skipComment() {
  position_ += 2;
  while (position_ < text_.size() && !(at(0) == '*' && at(1) == '/')) {
    if (at(0) == '\n') newLine();
    ++position_;
  }
  position_ = std::min(position_ + 2, text_.size());
}

void Lexer::skipSpace() {
  while (position_ < text_.size()) {
    const char c = at(0);
    if (c == '\n') {
      newLine();
      ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && at(1) == '/') {
      takeMark();
      skipLine();
    } else if (c == '@' && at(1) == '@') {
      skipLine();
    } else if (c == '/' && at(1) == '*') {
      skipComment();
    } else {
      return;
    }
  }
}

Token Lexer::make(Token::Kind kind, size_t length) {
  Token token{kind, text_.substr(position_, length), line_,
              static_cast<uint32_t>(position_ - lineStart_ + 1), inInlineAsm_};
  position_ += token.text.size();
  return token;
}

// 0 if the string does not end on its line.
size_t Lexer::lengthOfString() const {
  for (size_t n = 1; position_ + n < text_.size() && at(n) != '\n'; ++n) {
    if (at(n) == '\\') {
      ++n;
    } else if (at(n) == '"') {
      return n + 1;
    }
  }
  return 0;
}

// Accepts any letters (0x1F, 0f3F800000, 1e5, 7U); parseLiteral() checks the number.
size_t Lexer::lengthOfNumber() const {
  size_t n = 0;
  const bool isHex = at(0) == '0' && isLetter(at(1)) && at(1) != 'e' && at(1) != 'E';
  while (true) {
    const bool isExponentSign = !isHex && n > 0 && (at(n) == '+' || at(n) == '-') &&
                                (at(n - 1) == 'e' || at(n - 1) == 'E') && isDigit(at(n + 1));
    const bool isPoint = !isHex && at(n) == '.';
    if (!continuesWord(at(n)) && !isPoint && !isExponentSign) return n;
    ++n;
  }
}

Token Lexer::next() {
  skipSpace();
  if (position_ >= text_.size()) return make(Token::Kind::end, 0);
  const char c = at(0);
  if (c == '.' && continuesWord(at(1))) {
    size_t n = 1;
    while (continuesSuffix(at(n))) ++n;
    return make(Token::Kind::dot, n);
  }
  if (isDigit(c)) return make(Token::Kind::number, lengthOfNumber());
  if (startsWord(c)) {
    size_t n = 1;
    while (continuesWord(at(n))) ++n;
    return make(Token::Kind::word, n);
  }
  if (c == '"') {
    const size_t length = lengthOfString();
    return length == 0 ? make(Token::Kind::bad, 1) : make(Token::Kind::string, length);
  }
  const bool isMark = std::string_view("{}()[]<>,;:@!|+-=*").find(c) != std::string_view::npos;
  return make(isMark ? Token::Kind::mark : Token::Kind::bad, 1);
}

Cursor::Cursor(std::string_view text, std::string_view name)
    : text_(text), name_(name), lexer_(text), current_(lexer_.next()), next_(lexer_.next()) {
  refuseBad();
}

void Cursor::refuseBad() {
  if (current_.kind != Token::Kind::bad) return;
  if (current_.text[0] == '"') return fail("this string does not end on its line");
  const auto byte = static_cast<unsigned char>(current_.text[0]);
  if (byte < 0x20 || byte >= 0x7f) return fail("PTX may contain only ASCII characters");
  fail("unexpected character " + describe(current_));
}

Token Cursor::take() {
  const Token token = current_;
  if (failed_ || atEnd()) return token;
  taken_ = token.text.data() + token.text.size();
  current_ = next_;
  next_ = lexer_.next();
  refuseBad();
  return token;
}

bool Cursor::accept(char mark) {
  if (!current_.isMark(mark)) return false;
  take();
  return true;
}

bool Cursor::acceptDot(std::string_view word) {
  if (!current_.isDot(word)) return false;
  take();
  return true;
}

bool Cursor::expect(char mark, std::string_view after) {
  if (accept(mark)) return true;
  fail(std::string("expected '") + mark + "' after " + std::string(after) + ", found " +
       describe(current_));
  return false;
}

std::string_view Cursor::expectWord(std::string_view what) {
  if (current_.kind == Token::Kind::word) return take().text;
  fail("expected " + std::string(what) + ", found " + describe(current_));
  return {};
}

uint64_t Cursor::expectInteger(std::string_view what, uint64_t limit) {
  const auto literal =
      current_.kind == Token::Kind::number ? parseLiteral(current_.text) : std::nullopt;
  if (!literal || isFloat(literal->type)) {
    fail("expected " + std::string(what) + ", found " + describe(current_));
    return 0;
  }
  if (literal->bits > limit) {
    fail(std::string(what) + " is " + std::string(current_.text) + "; the maximum is " +
         std::to_string(limit));
    return 0;
  }
  take();
  return literal->bits;
}

std::string_view Cursor::textFrom(const Token& start) const {
  if (taken_ == nullptr || taken_ < start.text.data()) return {};
  return {start.text.data(), static_cast<size_t>(taken_ - start.text.data())};
}

void Cursor::fail(const Token& at, std::string message) {
  if (failed_) return;
  failed_ = true;
  error_ = requestError(std::move(message));
  error_.where = TextLocation{name_, static_cast<int>(at.line), static_cast<int>(at.column)};
  error_.sourceLine = lineOf(at);
  current_ = Token{Token::Kind::end, text_.substr(text_.size()), at.line, at.column};
  next_ = current_;
}

std::string Cursor::lineOf(const Token& token) const {
  const auto offset = static_cast<size_t>(token.text.data() - text_.data());
  const size_t start = offset - (token.column - 1);
  const size_t end = std::min(text_.find('\n', offset), text_.size());
  return std::string(text_.substr(start, end - start));
}

std::string describe(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end of the file";
  return "'" + std::string(token.text.substr(0, kQuoteLength)) + "'";
}

}  // namespace tilestep::ptx
