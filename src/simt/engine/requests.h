// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/rows.h"

/// The cost of a warp's memory request, computed from the lanes' addresses. Used if the addresses
/// do not have the pattern of the instruction's previous request.
namespace tilestep::simt::TILESTEP_ENGINE {

/// The number of distinct values of key(lane) over the active lanes. Most values equal the
/// preceding lane's or are new, so the search starts at the newest value.
template <class Key>
inline uint32_t distinct(uint32_t mask, Key key) {
  int64_t seen[kLanes];
  uint32_t count = 0;
  for (; mask != 0; mask &= mask - 1) {
    const int64_t value = key(static_cast<uint32_t>(__builtin_ctz(mask)));
    uint32_t i = count;
    while (i != 0 && seen[i - 1] != value) --i;
    if (i == 0) seen[count++] = value;
  }
  return count;
}

/// The number of distinct 32-byte sectors. An aligned access is within one sector.
inline uint32_t sectorsOf(const int64_t* addresses, uint32_t mask) {
  return distinct(mask, [&](uint32_t lane) { return addresses[lane] >> 5; });
}

inline uint32_t distinctBytesOf(const int64_t* addresses, uint32_t mask, uint32_t bytes) {
  return bytes * distinct(mask, [&](uint32_t lane) { return addresses[lane]; });
}

struct BankUse {
  uint32_t wavefronts;  ///< The largest number of distinct 4-byte words in a bank.
  uint32_t words;       ///< The number of distinct words in all banks.
};

inline BankUse banksOf(const int64_t* addresses, uint32_t mask, uint32_t bytes) {
  int64_t seen[kLanes][kLanes];  // Each lane accesses at most one word of a bank.
  uint32_t count[kLanes] = {};
  BankUse use{0, 0};
  const uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  for (; mask != 0; mask &= mask - 1) {
    const int64_t first = addresses[__builtin_ctz(mask)] >> 2;
    for (int64_t word = first; word < first + words; ++word) {
      const auto bank = static_cast<uint32_t>(word & (kLanes - 1));
      uint32_t i = count[bank];
      while (i != 0 && seen[bank][i - 1] != word) --i;
      if (i != 0) continue;
      seen[bank][count[bank]++] = word;
      ++use.words;
      if (count[bank] > use.wavefronts) use.wavefronts = count[bank];
    }
  }
  return use;
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
