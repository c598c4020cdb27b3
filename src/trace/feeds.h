// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "trace/block_trace.h"

namespace tilestep::trace {

/// An index of BlockTrace::feeds.
class Feeds {
 public:
  using Pair = std::pair<uint32_t, uint32_t>;
  explicit Feeds(const BlockTrace& recording) : pairs_(recording.feeds) {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    for (const Pair& pair : pairs_) loads_.push_back(pair.second);
    std::sort(loads_.begin(), loads_.end());
  }
  /// (consumer, load) for each load instruction that feeds `consumer`.
  [[nodiscard]] std::span<const Pair> of(uint32_t consumer) const {
    const auto [first, last] =
        std::equal_range(pairs_.begin(), pairs_.end(), Pair{consumer, 0},
                         [](const Pair& a, const Pair& b) { return a.first < b.first; });
    return {first, last};
  }
  [[nodiscard]] bool feeds(uint32_t load) const {
    return std::binary_search(loads_.begin(), loads_.end(), load);
  }

 private:
  std::vector<Pair> pairs_;
  std::vector<uint32_t> loads_;
};

}  // namespace tilestep::trace
