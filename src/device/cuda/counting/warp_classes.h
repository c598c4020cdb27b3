// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tilestep::cuda {

/// Warps of one launch with equal signatures.
struct WarpClass {
  uint64_t exemplar = 0;  ///< The index in the grid of the warp that logs for the class.
  uint64_t warps = 0;     ///< The number of warps in the class.
  uint64_t room = 0;      ///< Words that each lane of the exemplar may log; 0 if not chosen yet.
  uint32_t attempts = 0;  ///< Runs in which `room` was too small.
};

/// Finds the classes of one launch from its warps' keys.
class WarpClasses {
 public:
  /// If `onlyOnePlace`, all warps of a class have the same index in their blocks.
  WarpClasses(uint32_t warpsPerBlock, bool onlyOnePlace)
      : warpsPerBlock_(warpsPerBlock), onlyOnePlace_(onlyOnePlace) {}

  /// Adds warps, starting at index `first`. Each has two words in `keys`; warps with equal
  /// signatures have equal words.
  void add(const std::vector<uint64_t>& keys, uint64_t first);

  [[nodiscard]] std::vector<WarpClass>& all() { return all_; }

 private:
  struct Key {
    uint64_t first = 0, second = 0;
    uint32_t place = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return static_cast<size_t>(key.first ^ (key.second << 1) ^ (uint64_t{key.place} << 40));
    }
  };

  uint32_t warpsPerBlock_;
  bool onlyOnePlace_;
  std::unordered_map<Key, size_t, KeyHash> numberOf_;
  std::vector<WarpClass> all_;
};

}  // namespace tilestep::cuda
