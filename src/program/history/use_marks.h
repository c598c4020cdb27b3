// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "program/history/work.h"
#include "simt/use.h"

namespace tilestep::program {

/// Marks that record which bytes of an allocation a launch uses. Only pages with marks need memory.
class UseMarks {
 public:
  /// The marks for `bytes` bytes, always the same memory. Null pointers if out of memory.
  [[nodiscard]] simt::ByteUse of(uint64_t bytes);
  /// Adds the recorded use of the allocation at `address` to `to`, and clears the marks. `isShared`
  /// means that the host can use the allocation, too.
  void take(uint64_t address, uint64_t bytes, bool isShared, Uses& to);

 private:
  using Bytes = std::shared_ptr<uint8_t[]>;
  Bytes read_, written_, pages_;
};

}  // namespace tilestep::program
