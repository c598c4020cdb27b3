// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

namespace tilestep {

uint64_t fnv1a64(std::span<const std::byte> bytes, uint64_t hash) {
  for (const std::byte b : bytes) hash = (hash ^ static_cast<uint64_t>(b)) * 0x100000001b3ULL;
  return hash;
}

uint64_t fnv1a64(std::string_view text, uint64_t hash) {
  return fnv1a64(std::as_bytes(std::span(text.data(), text.size())), hash);
}

std::string hex64(uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; value >>= 4) text[i] = kDigits[value & 15];
  return text;
}

}  // namespace tilestep
