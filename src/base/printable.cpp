// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace tilestep {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  ///< 0 if invalid UTF-8.
};

/// The first character of `text`, which is not empty. Overlong forms and surrogates are invalid.
Character firstOf(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  constexpr std::array<uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  uint32_t code = first & (0x7fU >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool isSurrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[bytes] || code > 0x10ffff || isSurrogate) return {};
  return {code, bytes};
}

bool isControl(uint32_t code) {
  return code < 0x20 && code != '\n' && code != '\t';
}

/// Code points that Unicode reserves as noncharacters, and that XML does not allow.
bool isNoCharacter(uint32_t code) {
  return (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}

/// DEL and the C1 controls, direction marks and overrides, line separators, invisible tags and
/// noncharacters. Escaping them as \uXXXX keeps the meaning of JSON text.
bool isMisleading(uint32_t code) {
  return (code >= 0x7f && code < 0xa0) || code == 0x061c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0xfeff || (code >= 0xe0000 && code < 0xe0080) || isNoCharacter(code);
}

void spellOut(std::string& out, const char* form, uint32_t number) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), form, number);
  out += text.data();
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = firstOf(text);
    if (character.bytes == 0) {
      spellOut(out, "\\x%02x", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    if (text.starts_with("\r\n")) {
      // "\r\n" is one newline.
    } else if (isMisleading(character.code)) {
      spellOut(out, "\\u%04x", character.code);
    } else if (isControl(character.code)) {
      spellOut(out, "\\x%02x", character.code);
    } else {
      out += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return out;
}

std::string printableLine(std::string_view text) {
  std::string line;
  for (const char c : printable(text)) {
    if (c == '\n')
      line += "\\n";
    else
      line += c == '\t' ? ' ' : c;
  }
  return line;
}

std::string printableBlock(std::string_view text, std::string_view indent) {
  std::string block;
  for (const char c : printable(text)) {
    block += c;
    if (c == '\n') block += indent;
  }
  return block;
}

std::string shellWord(const std::string& text) {
  constexpr const char* kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace tilestep
