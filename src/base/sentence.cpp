// SPDX-License-Identifier: Apache-2.0
#include "base/sentence.h"

namespace tilestep {

std::string asSentence(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  if (!text.empty() && !text.ends_with('.')) text += '.';
  return text;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
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
