// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace tilestep::fuzz {

using Bytes = std::vector<std::byte>;

/// Changes bytes like damage and attacks do, with the same sequence for the same seed.
class Mutator {
 public:
  explicit Mutator(uint64_t seed) : random_(seed) {}

  /// 0 … count - 1; count > 0.
  size_t pick(size_t count) { return static_cast<size_t>(random_() % count); }

  /// One to four changes.
  void change(Bytes& bytes) {
    for (size_t i = 1 + pick(4); i > 0; --i) changeOnce(bytes);
  }

 private:
  void changeOnce(Bytes& bytes) {
    if (bytes.empty()) return bytes.push_back(any());
    const size_t at = pick(bytes.size());
    const auto where = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (pick(7)) {
      case 0:
        bytes[at] ^= static_cast<std::byte>(1U << pick(8));
        break;
      case 1:
        bytes[at] = any();
        break;
      case 2:
        bytes.insert(where, any());
        break;
      case 3:
        bytes.erase(where);
        break;
      case 4:
        bytes.resize(at);
        break;
      case 5:
        telling(bytes, at);
        break;
      default:
        copyWithin(bytes, at);
        break;
    }
  }
  /// Lengths and indices at the edge of their range.
  void telling(Bytes& bytes, size_t at) {
    constexpr uint8_t kValues[] = {0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};
    const auto value = static_cast<std::byte>(kValues[pick(6)]);
    const size_t count = size_t{1} << pick(4);
    for (size_t i = at; i < bytes.size() && i < at + count; ++i) bytes[i] = value;
  }
  void copyWithin(Bytes& bytes, size_t to) {
    const size_t from = pick(bytes.size());
    for (size_t i = 0; i < 8 && from + i < bytes.size() && to + i < bytes.size(); ++i) {
      bytes[to + i] = bytes[from + i];
    }
  }
  std::byte any() { return static_cast<std::byte>(random_() & 0xff); }

  std::mt19937_64 random_;
};

}  // namespace tilestep::fuzz
