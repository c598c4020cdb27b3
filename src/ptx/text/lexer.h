// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace tilestep::ptx {

/// A token of PTX. `text` points into the source.
struct Token {
  enum class Kind : uint8_t {
    end,
    word,    ///< identifier, %register, $label, _
    dot,     ///< .directive or .suffix, with its dot
    number,  ///< any literal, without a sign
    string,  ///< with its quotes
    mark,    ///< one character
    bad,     ///< an invalid character, or an unterminated string
  };
  Kind kind = Kind::end;
  std::string_view text;
  uint32_t line = 1;
  uint32_t column = 1;
  bool isInlineAsm = false;  ///< Between the compiler's comments around inline assembly.

  [[nodiscard]] bool isMark(char c) const { return kind == Kind::mark && text[0] == c; }
  [[nodiscard]] bool isDot(std::string_view word) const {
    return kind == Kind::dot && text == word;
  }
};

/// Splits PTX into tokens. Skips comments and old "@@DWARF" lines. Never fails: an invalid
/// character becomes a token of kind `bad`. At the end, next() keeps returning `end`.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

 private:
  void skipSpace();
  void skipLine();
  void takeMark();
  void skipComment();
  [[nodiscard]] char at(size_t ahead) const;
  void newLine();
  Token make(Token::Kind kind, size_t length);
  [[nodiscard]] size_t lengthOfString() const;
  [[nodiscard]] size_t lengthOfNumber() const;

  std::string_view text_;
  size_t position_ = 0;
  size_t lineStart_ = 0;
  uint32_t line_ = 1;
  bool inInlineAsm_ = false;
};

/// Reads tokens with one token of lookahead. After the first failure, which it keeps, the cursor is
/// at the end of the text, so that callers can simply return and all loops end.
class Cursor {
 public:
  Cursor(std::string_view text, std::string_view name);

  [[nodiscard]] const Token& peek() const { return current_; }
  [[nodiscard]] const Token& ahead() const { return next_; }
  Token take();
  bool accept(char mark);
  bool acceptDot(std::string_view word);
  /// Consumes `mark`, or fails with "expected ';' after `after`".
  bool expect(char mark, std::string_view after);
  /// Consumes an identifier, or fails with "expected `what`" and returns an empty string.
  std::string_view expectWord(std::string_view what);
  /// Consumes an unsigned integer up to `limit`, or fails and returns 0.
  uint64_t expectInteger(std::string_view what, uint64_t limit);

  /// The text from `start` to the last consumed token.
  [[nodiscard]] std::string_view textFrom(const Token& start) const;

  void fail(const Token& at, std::string message);
  void fail(std::string message) { fail(current_, std::move(message)); }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const Error& error() const { return error_; }
  [[nodiscard]] bool atEnd() const { return current_.kind == Token::Kind::end; }

 private:
  void refuseBad();
  [[nodiscard]] std::string lineOf(const Token& token) const;

  std::string_view text_;
  std::string name_;
  Lexer lexer_;
  Token current_;
  Token next_;
  const char* taken_ = nullptr;  ///< The end of the last consumed token.
  bool failed_ = false;
  Error error_;
};

/// The token as shown in error messages: "'foo'" or "the end of the file".
[[nodiscard]] std::string describe(const Token& token);

}  // namespace tilestep::ptx
