// SPDX-License-Identifier: Apache-2.0
#include "metrics/bank_conflicts.h"

#include <algorithm>
#include <map>

namespace tilestep::metrics {

std::vector<uint32_t> BankUse::conflictingBanks() const {
  std::vector<uint32_t> result;
  for (uint32_t bank = 0; bank < kBanks; ++bank) {
    if (banks[bank].size() > 1) result.push_back(bank);
  }
  return result;
}

BankUse bankUse(std::span<const uint32_t> offsets, uint32_t width) {
  BankUse result;
  if (offsets.empty()) return result;
  std::map<uint32_t, std::vector<uint32_t>> lanesOf;
  for (uint32_t lane = 0; lane < offsets.size(); ++lane) {
    const uint32_t last = (offsets[lane] + std::max(width, 1U) - 1) / kBankBytes;
    for (uint32_t word = offsets[lane] / kBankBytes; word <= last; ++word) {
      lanesOf[word].push_back(lane);
    }
  }
  for (auto& [word, lanes] : lanesOf) result.banks[word % kBanks].push_back({word, lanes});
  for (const auto& words : result.banks) {
    result.wavefronts = std::max(result.wavefronts, static_cast<uint32_t>(words.size()));
  }
  result.requests = 1;
  result.distinctWords = static_cast<uint32_t>(lanesOf.size());
  result.conflicts = result.wavefronts - (result.distinctWords + kBanks - 1) / kBanks;
  return result;
}

}  // namespace tilestep::metrics
