// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "program/history/work.h"
#include "simt/use.h"

namespace tilestep::program {

/// Marks in which launches record the bytes of an allocation that they use. They use memory only
/// where they are set.
class UseMarks {
 public:
  /// For this many bytes, always the same number. Null pointers if there is no memory.
  [[nodiscard]] simt::ByteUse of(uint64_t bytes);
  /// Adds the recorded use of the allocation at `address`, and clears it. `isShared`: the host can
  /// use the allocation, too.
  void take(uint64_t address, uint64_t bytes, bool isShared, Uses& to);

 private:
  using Bytes = std::shared_ptr<uint8_t[]>;
  Bytes read_, written_, pages_;
};

}  // namespace tilestep::program
