// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "device/captured.h"
#include "program/history/work.h"
#include "program/memory.h"
#include "program/modules.h"
#include "program/record.h"

namespace tilestep::program {

/// Captures launches of a program as values. Contents are kept in blocks. Launches share a block if
/// it did not change between them. Not thread-safe.
class Capture {
 public:
  /// `mostBytes` limits all blocks together. A launch that would exceed it has no contents.
  explicit Capture(uint64_t mostBytes = uint64_t{1} << 30) : mostBytes_(mostBytes) {}

  /// Captures launch `number` (from 1), which is about to begin.
  std::shared_ptr<device::CapturedLaunch> take(const Kernel& kernel,
                                               std::span<const uint8_t> parameters, Memory& memory,
                                               const LaunchRecord& record, uint64_t number);

 private:
  [[nodiscard]] bool takeContents(const Allocation& allocation, device::MemoryRange& range);

  uint64_t mostBytes_, bytes_ = 0;
  /// The contents before the latest launch, by address.
  std::map<uint64_t, std::vector<device::MemoryBlock>> latest_;
};

/// Adds the ranges of memory that a launch read and wrote.
void addAccesses(const Uses& uses, device::CapturedLaunch& launch);

}  // namespace tilestep::program
