// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "program/history/work.h"
#include "simt/use.h"

namespace tilestep::program {

/// Room in which launches note which bytes of an allocation they use. It takes memory only where
/// they do.
class UseMarks {
 public:
  /// For so many bytes, always the same number. Null pointers where there is no memory.
  [[nodiscard]] simt::ByteUse of(uint64_t bytes);
  /// Adds what was noted of the allocation at `address`, and forgets it. `isShared`: the host can
  /// use the allocation, too.
  void take(uint64_t address, uint64_t bytes, bool isShared, Uses& to);

 private:
  using Bytes = std::shared_ptr<uint8_t[]>;
  Bytes read_, written_, pages_;
};

}  // namespace tilestep::program
