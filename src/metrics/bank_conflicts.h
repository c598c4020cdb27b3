// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// How a warp's shared-memory request uses the 32 banks, computed from its lanes' offsets. Source:
/// CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.0 and up: there are 32 banks
/// of 4-byte words, and lanes that access the same word cause no conflict. Pure; thread-safe.
namespace tilestep::metrics {

constexpr uint32_t kBanks = 32;
constexpr uint32_t kBankBytes = 4;

struct BankWord {
  uint32_t word = 0;  ///< Byte offset / 4; the bank is word % 32.
  std::vector<uint32_t> lanes;
};

struct BankUse {
  std::array<std::vector<BankWord>, kBanks> banks;  ///< Distinct words by bank, ascending.
  uint32_t requests = 0;                            ///< 1, or 0 if no lane is active.
  uint32_t distinctWords = 0;
  uint32_t wavefronts = 0;  ///< The most distinct words in one bank.
  uint32_t conflicts = 0;   ///< Wavefronts beyond ceil(distinctWords / 32).

  /// The n of an "n-way bank conflict"; 1 means conflict-free.
  [[nodiscard]] uint32_t degree() const { return wavefronts; }
  /// Banks with more than one distinct word.
  [[nodiscard]] std::vector<uint32_t> conflictingBanks() const;
};

/// `offsets` are byte offsets in shared memory, one per active lane; `width` is the bytes per lane.
[[nodiscard]] BankUse bankUse(std::span<const uint32_t> offsets, uint32_t width);

}  // namespace tilestep::metrics
