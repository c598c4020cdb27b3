// SPDX-License-Identifier: Apache-2.0
#include "base/toml/toml_depth.h"

#include <algorithm>
#include <string>

namespace tilestep {
namespace {

// Every level of brackets may contain a key with this many parts.
constexpr int kMostKeyParts = 32, kMostBrackets = 32;

/// Reads the tokens of a TOML document, up to a syntax error, where toml++ stops, too.
class DepthReader {
 public:
  explicit DepthReader(std::string_view text) : text_(text) {}

  std::optional<TomlTooDeep> read() {
    while (at_ < text_.size()) {
      if (const char* what = step()) return placed(what);
    }
    return {};
  }

 private:
  /// Reads one token. Returns the problem with it, or null.
  const char* step() {
    const char c = text_[at_];
    switch (c) {
      case '#':
        at_ = std::min(text_.find('\n', at_), text_.size());
        return nullptr;
      case '"':
      case '\'':
        skipString(c);
        return nullptr;
      case '.':
        if (++parts_ > kMostKeyParts) return "this key has more than 32 parts separated by dots";
        break;
      case '[':
      case '{':
        if (++brackets_ > kMostBrackets) return "brackets are nested more than 32 deep";
        parts_ = 1;
        break;
      case ']':
      case '}':
        --brackets_;
        parts_ = 1;
        break;
      case '=':
      case ',':
      case '\n':
        parts_ = 1;
        break;
      default:
        break;
    }
    ++at_;
    return nullptr;
  }

  /// Moves past the string that begins here, or to the end of the line if the string is not closed.
  void skipString(char quote) {
    const std::string three(3, quote);
    const bool isLong = text_.substr(at_).starts_with(three);
    at_ += isLong ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\' && quote == '"') {
        ++at_;
      } else if (isLong ? text_.substr(at_).starts_with(three) : text_[at_] == quote) {
        at_ += isLong ? 3 : 1;
        // A multi-line string may end with one or two quotes before its closing quotes.
        for (int own = 0; isLong && own < 2 && at_ < text_.size() && text_[at_] == quote; ++own)
          ++at_;
        return;
      } else if (text_[at_] == '\n' && !isLong) {
        return;
      }
    }
  }

  [[nodiscard]] TomlTooDeep placed(const char* what) const {
    const std::string_view before = text_.substr(0, at_);
    const size_t line = before.rfind('\n');
    const size_t column = line == std::string_view::npos ? at_ : at_ - line - 1;
    return {what, static_cast<uint32_t>(1 + std::ranges::count(before, '\n')),
            static_cast<uint32_t>(1 + column)};
  }

  std::string_view text_;
  size_t at_ = 0;
  int parts_ = 1;     ///< Of the current key or number.
  int brackets_ = 0;  ///< Open brackets.
};

}  // namespace

std::optional<TomlTooDeep> whereTooDeep(std::string_view text) {
  return DepthReader(text).read();
}

}  // namespace tilestep
