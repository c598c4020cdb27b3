// SPDX-License-Identifier: Apache-2.0
#include "program/findings/touches.h"

#include <algorithm>

#include "program/findings/words.h"

namespace tilestep::program {
namespace {

/// Calls what(memory, range) for each part of `ranges`, with the memory that contains it.
template <class What>
void eachPiece(const ProgramRun& run, const Ranges& ranges, const What& what) {
  const MemoryRecord* memory = nullptr;
  for (const ByteRange& range : ranges) {
    if (memory == nullptr || range.begin - memory->address >= memory->bytes)
      memory = memoryAt(run, range.begin);
    if (memory != nullptr) what(*memory, range);
  }
}

}  // namespace

const std::vector<Touch>& Touches::ofMemory(const MemoryRecord& memory) const {
  static const std::vector<Touch> kNone;
  const auto found = of.find(memory.address);
  return found == of.end() ? kNone : found->second;
}

Touches touchesIn(const ProgramRun& run) {
  Touches touches;
  for (const Work& work : run.works) {
    if (!work.done) continue;
    touches.isWhole = touches.isWhole && work.uses.isKnown;
    const auto touchOf = [&](const MemoryRecord& memory) -> Touch& {
      std::vector<Touch>& all = touches.of[memory.address];
      if (all.empty() || all.back().work != &work) all.push_back({&work, {}, {}});
      return all.back();
    };
    eachPiece(run, work.uses.reads(), [&](const MemoryRecord& memory, const ByteRange& range) {
      touchOf(memory).reads.push_back(range);
    });
    eachPiece(run, work.uses.writes(), [&](const MemoryRecord& memory, const ByteRange& range) {
      touchOf(memory).writes.push_back(range);
    });
  }
  return touches;
}

bool allLaunchesEnded(const ProgramRun& run) {
  return std::ranges::all_of(run.launches,
                             [](const LaunchRecord& each) { return each.ran && each.result == 0; });
}

uint32_t elementBytes(const ProgramRun& run, const MemoryRecord& memory) {
  uint32_t bytes = 0;
  for (const LaunchRecord& launch : run.launches) {
    for (const LineCost& cost : launch.costs) {
      if (!cost.isStore || cost.memory != memory.address) continue;
      if (bytes == 0 || cost.elementBytes < bytes) bytes = cost.elementBytes;
    }
  }
  return bytes;
}

std::string partText(const Ranges& part, const MemoryRecord& memory, uint32_t elementBytes) {
  const uint64_t each = std::max<uint32_t>(elementBytes, 1);
  const uint64_t first = (part.front().begin - memory.address) / each;
  const uint64_t last = (part.front().end - 1 - memory.address) / each;
  const std::string word = each > 1 ? "element" : "byte";
  std::string text = first == last
                         ? word + " " + std::to_string(first)
                         : word + "s " + std::to_string(first) + " to " + std::to_string(last);
  if (part.size() > 1) text += " and " + std::to_string(part.size() - 1) + " more pieces";
  return text;
}

}  // namespace tilestep::program
