// SPDX-License-Identifier: Apache-2.0
#include "gfx/pdf/utf8.h"

#include <array>
#include <cstdint>

namespace tilestep::gfx {
namespace {

constexpr char32_t kUnknown = 0xFFFD;

/// Takes the text's first character; U+FFFD takes one byte.
char32_t takeCharacter(std::string_view& text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  const size_t size = first < 0x80 ? 1 : first < 0xC0 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  char32_t character = size == 1 ? first : first & (0x7FU >> size);
  bool good = size > 0 && first < 0xF8 && size <= text.size();
  for (size_t i = 1; good && i < size; ++i) {
    good = (byte(i) & 0xC0U) == 0x80;
    character = character << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  good = good && character >= kLeast[size] && character <= 0x10FFFF &&
         (character < 0xD800 || character > 0xDFFF);
  text.remove_prefix(good ? size : 1);
  return good ? character : kUnknown;
}

}  // namespace

std::vector<char32_t> charactersOf(std::string_view utf8) {
  std::vector<char32_t> characters;
  while (!utf8.empty()) characters.push_back(takeCharacter(utf8));
  return characters;
}

}  // namespace tilestep::gfx
