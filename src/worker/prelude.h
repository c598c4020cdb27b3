// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"

namespace tilestep::worker {

/// Finds the beginning of the frames in a stream that may start with other text, such as a login
/// shell's greeting or the banner of a module. Up to kMostNoise bytes before the first frame's
/// magic are skipped. After it, the stream holds frames only.
class Prelude {
 public:
  static constexpr size_t kMostNoise = size_t{64} << 10;

  /// The bytes known so far, starting with the first magic: none until it has arrived, then
  /// everything fed. Errors: too much noise. Valid until the next call.
  Result<std::span<const std::byte>> feed(std::span<const std::byte> bytes);
  /// The first line of the noise that is not blank, limited to printable text.
  [[nodiscard]] std::string firstLine() const;

 private:
  std::string noise_, held_;
  bool passed_ = false;
};

}  // namespace tilestep::worker
