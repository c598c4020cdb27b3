// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"

#include <cstdint>

namespace tilestep {

std::string base64(std::span<const std::byte> bytes) {
  constexpr const char* kSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t three = 0;
    for (size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? std::to_integer<uint32_t>(bytes[at + i]) : 0);
    const size_t left = bytes.size() - at;
    text += kSigns[three >> 18 & 63];
    text += kSigns[three >> 12 & 63];
    text += left > 1 ? kSigns[three >> 6 & 63] : '=';
    text += left > 2 ? kSigns[three & 63] : '=';
  }
  return text;
}

}  // namespace tilestep
