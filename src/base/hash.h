// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tilestep {

constexpr uint64_t kFnvStart = 0xcbf29ce484222325ULL;

/// 64-bit FNV-1a. Pass an earlier hash to continue it.
[[nodiscard]] uint64_t fnv1a64(std::span<const std::byte> bytes, uint64_t hash = kFnvStart);
[[nodiscard]] uint64_t fnv1a64(std::string_view text, uint64_t hash = kFnvStart);

/// The output of splitmix64 (Steele, Lea and Flood 2014) for state x: x plus the golden gamma,
/// mixed. The function is stateless, so element i can be generated on any device in any order.
[[nodiscard]] constexpr uint64_t splitmix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// 16 lower-case hexadecimal digits.
[[nodiscard]] std::string hex64(uint64_t value);

}  // namespace tilestep
