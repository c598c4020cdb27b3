// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/highlight.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/number_text.h"
#include "model/text/covered_pieces.h"

namespace tilestep::ui {
namespace {

constexpr std::array<std::string_view, 38> kKeywords{
    "auto",     "bool",     "break",  "case",   "char",     "class",     "const",    "constexpr",
    "continue", "do",       "double", "else",   "enum",     "extern",    "false",    "float",
    "for",      "if",       "inline", "int",    "long",     "namespace", "return",   "short",
    "signed",   "sizeof",   "size_t", "static", "struct",   "switch",    "template", "true",
    "typename", "unsigned", "using",  "void",   "volatile", "while"};

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
TokenKind kindOfWord(std::string_view word) {
  if (std::ranges::find(kKeywords, word) != kKeywords.end()) return TokenKind::keyword;
  if (word.starts_with("__")) return TokenKind::qualifier;  // __global__, __syncthreads, …
  for (const std::string_view name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    if (word == name) return TokenKind::qualifier;
  return TokenKind::plain;
}

/// Splits one line. `inComment` tells whether a block comment is open, and is updated.
class LineCutter {
 public:
  LineCutter(std::string_view line, bool& inComment) : line_(line), inComment_(inComment) {}

  SourceLine cut() {
    while (at_ < line_.size()) next();
    return std::move(tokens_);
  }

 private:
  void next() {
    const std::string_view rest = line_.substr(at_);
    if (inComment_ || rest.starts_with("/*")) return blockComment(rest);
    if (rest.starts_with("//")) return take(rest.size(), TokenKind::comment);
    if (rest.front() == '#' && tokens_.size() <= 1) return take(rest.size(), TokenKind::directive);
    if (rest.front() == '"' || rest.front() == '\'') return quoted(rest);
    if (isDigit(rest.front()))
      return take(lengthWhile(rest, [](char c) { return isWord(c) || c == '.'; }),
                  TokenKind::number);
    if (isWord(rest.front())) {
      const size_t length = lengthWhile(rest, isWord);
      return take(length, kindOfWord(rest.substr(0, length)));
    }
    take(1, TokenKind::plain);
  }

  void blockComment(std::string_view rest) {
    const size_t end = rest.find("*/", inComment_ ? 0 : 2);
    inComment_ = end == std::string_view::npos;
    take(inComment_ ? rest.size() : end + 2, TokenKind::comment);
  }

  void quoted(std::string_view rest) {
    size_t end = 1;
    while (end < rest.size() && rest[end] != rest[0]) end += rest[end] == '\\' ? 2 : 1;
    take(std::min(end + 1, rest.size()), TokenKind::text);
  }

  template <class Predicate>
  static size_t lengthWhile(std::string_view text, Predicate predicate) {
    return static_cast<size_t>(std::ranges::find_if_not(text, predicate) - text.begin());
  }

  void take(size_t length, TokenKind kind) {
    const std::string_view piece = line_.substr(at_, length);
    if (!tokens_.empty() && tokens_.back().kind == kind)
      tokens_.back().text += piece;
    else
      tokens_.push_back({kind, std::string(piece)});
    at_ += length;
  }

  std::string_view line_;
  bool& inComment_;
  size_t at_ = 0;
  SourceLine tokens_;
};

std::string withoutTabs(std::string_view line) {
  std::string result;
  for (const char c : line) {
    if (c == '\t')
      result += "    ";
    else if (c != '\r')
      result += c;
  }
  return result;
}

}  // namespace

std::vector<SourceLine> highlight(std::string_view source) {
  std::vector<SourceLine> lines;
  bool inComment = false;
  while (!source.empty()) {
    const size_t end = std::min(source.find('\n'), source.size());
    const std::string line = withoutTabs(source.substr(0, end));
    lines.push_back(LineCutter(line, inComment).cut());
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return lines;
}

gfx::Color colourOf(const gfx::Palette& p, TokenKind kind) {
  switch (kind) {
    case TokenKind::keyword:
      return gfx::mix(p.category(1), p.text, p.dark ? 0.25F : 0.45F);
    case TokenKind::qualifier:
      return gfx::mix(p.category(2), p.text, p.dark ? 0.25F : 0.45F);
    case TokenKind::number:
      return gfx::mix(p.category(3), p.text, p.dark ? 0.25F : 0.45F);
    case TokenKind::comment:
    case TokenKind::covered:
      return p.mutedText;
    case TokenKind::directive:
    case TokenKind::text:
      return gfx::mix(p.mutedText, p.text, 0.4F);
    case TokenKind::plain:
      return p.text;
  }
  return p.text;
}

SourceLine withCovered(const SourceLine& line, const std::vector<std::string>& hidden) {
  if (hidden.empty()) return line;
  std::string whole;
  std::vector<TokenKind> kinds;  // Indexed by character.
  for (const Token& token : line) {
    whole += token.text;
    kinds.insert(kinds.end(), token.text.size(), token.kind);
  }
  size_t at = 0;
  for (const model::CoveredPiece& piece : model::coveredPieces(whole, hidden)) {
    if (piece.covered) std::fill_n(&kinds[at], piece.text.size(), TokenKind::covered);
    at += piece.text.size();
  }
  SourceLine cut;
  for (size_t i = 0; i < whole.size(); ++i) {
    if (cut.empty() || cut.back().kind != kinds[i]) cut.push_back({kinds[i], {}});
    cut.back().text += whole[i];
  }
  return cut;
}

SourceLine cutBetweenWords(const SourceLine& line, size_t indent, size_t characters) {
  SourceLine shown;
  size_t length = 0;
  for (Token token : line) {
    const size_t skipped = std::min(indent, token.text.size());
    token.text.erase(0, skipped);
    indent -= skipped;
    length += token.text.size();
    shown.push_back(std::move(token));
  }
  if (length <= characters) return shown;
  size_t room = std::max<size_t>(characters, 1) - 1;  // One for "…".
  for (size_t i = 0; i < shown.size(); ++i) {
    std::string& text = shown[i].text;
    if (text.size() <= room) {
      room -= text.size();
      continue;
    }
    const size_t blank = text.rfind(' ', room);
    text = text.substr(0, blank == std::string::npos ? 0 : blank) + "…";
    shown.resize(i + 1);
    break;
  }
  return shown;
}

}  // namespace tilestep::ui
