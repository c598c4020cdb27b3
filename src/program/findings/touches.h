// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "program/record.h"

namespace tilestep::program {

/// The accesses of one piece of work to one piece of memory.
struct Touch {
  const Work* work = nullptr;
  Ranges reads, writes;
};

/// All recorded accesses, in order, by the address of the memory. Skipped work has none. isWhole is
/// false if some work had too many ranges to be kept.
struct Touches {
  std::map<uint64_t, std::vector<Touch>> of;
  bool isWhole = true;

  [[nodiscard]] const std::vector<Touch>& ofMemory(const MemoryRecord& memory) const;
};

[[nodiscard]] Touches touchesIn(const ProgramRun& run);

/// Whether all launches ran to their end, so that missing accesses are worth reporting.
[[nodiscard]] bool allLaunchesEnded(const ProgramRun& run);

/// The element size of the launches' stores to the memory, in bytes; 0 if unknown.
[[nodiscard]] uint32_t elementBytes(const ProgramRun& run, const MemoryRecord& memory);

/// "elements 768 to 999" or "bytes 10 to 20" for the first range, and how many ranges follow.
[[nodiscard]] std::string partText(const Ranges& part, const MemoryRecord& memory,
                                   uint32_t elementBytes);

}  // namespace tilestep::program
