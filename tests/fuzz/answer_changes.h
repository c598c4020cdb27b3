// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tilestep::fuzz {

/// Changes the values of messages as `orders` choose: numbers become values at the edge of their
/// range; strings become empty, long or invalid UTF-8; lists and columns lose, gain or change
/// elements; and any field becomes null. A message without changes stays unchanged.
class AnswerChanges {
 public:
  /// Each change consumes a few bytes of `orders`. After the last byte nothing more is changed.
  /// `orders` must outlive this.
  explicit AnswerChanges(std::span<const std::byte> orders) : orders_(orders) {}

  /// The message with up to three changes. `message` is CBOR from worker::encode.
  [[nodiscard]] std::vector<std::byte> changed(std::span<const std::byte> message);

  /// The next order as a number below `limit` (1 to 65536); 0 if none is left.
  size_t pick(size_t limit);

 private:
  std::span<const std::byte> orders_;
};

}  // namespace tilestep::fuzz
