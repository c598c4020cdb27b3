// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"

namespace tilestep::worker {

/// Finds the first frame in a stream that may start with other text, such as a login shell's
/// greeting or a module's banner. Skips up to kMostNoise bytes before the first magic. After it,
/// the stream has only frames.
class Prelude {
 public:
  static constexpr size_t kMostNoise = size_t{64} << 10;

  /// Adds bytes. Returns all bytes from the first magic on, which is nothing until the magic has
  /// arrived. Errors: too much noise. Valid until the next call.
  Result<std::span<const std::byte>> feed(std::span<const std::byte> bytes);
  /// The first line of the noise that is not blank, reduced to printable text.
  [[nodiscard]] std::string firstLine() const;

 private:
  std::string noise_, held_;
  bool passed_ = false;
};

}  // namespace tilestep::worker
