// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace tilestep::simt {

/// The latest write of each thread to each word on which other threads may wait.
class AwaitedWrites {
 public:
  struct Key {
    uint64_t place = 0, block = 0;
    uint32_t thread = 0;
    bool operator==(const Key&) const = default;
  };

  /// `number` counts all writes of the launch; `time` counts from the block's start.
  void note(const Key& key, uint64_t number, uint64_t time);
  /// Returns true if the thread's latest write of the word has a smaller number than `number` and
  /// is not earlier than `time`. If there were too many writes to keep, returns true for those that
  /// are not kept.
  [[nodiscard]] bool has(const Key& key, uint64_t number, uint64_t time) const;
  void clear();

 private:
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  struct Write {
    uint64_t number = 0, time = 0;
  };
  std::unordered_map<Key, Write, Hash> writes_;
  bool isFull_ = false;
};

}  // namespace tilestep::simt
