// SPDX-License-Identifier: Apache-2.0
#include "base/sentence.h"

#include <algorithm>

namespace tilestep {

std::string asSentence(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  if (!text.empty() && !text.ends_with('.')) text += '.';
  return text;
}

std::string capitalised(std::string text) {
  const auto isLower = [](char each) { return each >= 'a' && each <= 'z'; };
  const size_t end = std::min(text.find(' '), text.size());
  const bool isWord =
      std::all_of(text.begin(), text.begin() + static_cast<ptrdiff_t>(end),
                  [&](char each) { return isLower(each) || each == ',' || each == ':'; });
  if (!text.empty() && isWord) text[0] = static_cast<char>(text[0] - 32);
  return text;
}

std::string shortened(std::string text, size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [&](size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  while (bytes > 0 && continues(bytes)) --bytes;
  text.resize(bytes);
  return text + "…";
}

}  // namespace tilestep
