// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tilestep::fuzz {

/// Changes the values of messages as bytes say it: numbers become those at the edge of what fits,
/// texts become empty, long or no UTF-8, lists and columns lose, gain or change elements, and any
/// field becomes null. A message without changes is left as it is.
class AnswerChanges {
 public:
  /// `orders`: each change takes a few of them; once they are used up nothing is changed. They must
  /// outlive this.
  explicit AnswerChanges(std::span<const std::byte> orders) : orders_(orders) {}

  /// The message with up to three changes. `message` is CBOR, as worker::encode gives it.
  [[nodiscard]] std::vector<std::byte> changed(std::span<const std::byte> message);

  /// The next order as a number below `limit` (1 to 65536); 0 where there is none left.
  size_t pick(size_t limit);

 private:
  std::span<const std::byte> orders_;
};

}  // namespace tilestep::fuzz
