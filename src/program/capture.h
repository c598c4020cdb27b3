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

/// Captures launches of a program as values. Contents are kept in blocks that launches share if
/// they did not change between them. Not thread-safe.
class Capture {
 public:
  /// `mostBytes`: of all blocks together; a launch that would need more has no contents.
  explicit Capture(uint64_t mostBytes = uint64_t{1} << 30) : mostBytes_(mostBytes) {}

  /// The launch, which is about to begin. `number`: from 1.
  std::shared_ptr<device::CapturedLaunch> take(const Kernel& kernel,
                                               std::span<const uint8_t> parameters, Memory& memory,
                                               const LaunchRecord& record, uint64_t number);

 private:
  [[nodiscard]] bool takeContents(const Allocation& allocation, device::MemoryRange& range);

  uint64_t mostBytes_, bytes_ = 0;
  /// By address: the contents before the latest launch.
  std::map<uint64_t, std::vector<device::MemoryBlock>> latest_;
};

/// The ranges of memory that a launch read and wrote.
void addAccesses(const Uses& uses, device::CapturedLaunch& launch);

}  // namespace tilestep::program
