// SPDX-License-Identifier: Apache-2.0
// Reads of values that were never set. The copy that should have set them is missing, or its size
// is a number of elements or sizeof(pointer).
#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "program/answers.h"
#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"
#include "program/places.h"

namespace tilestep::program {
namespace {

/// Advice about the intended size, if the numbers suggest one.
std::string adviceFor(uint64_t copied, uint64_t all) {
  constexpr uint64_t kPointer = 8;
  for (const uint64_t each : {uint64_t{2}, uint64_t{4}, uint64_t{8}}) {
    if (copied * each == all)
      return ": the size is in bytes, not in elements. Multiply it by sizeof, here " +
             std::to_string(each);
  }
  if (copied == kPointer) return ": 8 is the size of a pointer, not of the data that it points to";
  return ". Copy all of it";
}

Finding tooSmall(const LaunchRecord& launch, const MemoryRecord& memory, const Touch& touch,
                 uint32_t line) {
  const uint64_t copied = bytesIn(touch.writes);
  return {"wrong-size", Severity::fault, touch.work->place,
          capitalised(touch.work->what) + " sets " + bytesText(copied) + " of " + memory.name +
              ", which has " + bytesText(memory.bytes) + ", but " + launch.kernel +
              " reads more in line " + std::to_string(line) + adviceFor(copied, memory.bytes)};
}

/// Whether the size argument seems to count elements, because it does not mention bytes.
bool countsElements(const Place& place) {
  const std::vector<std::string> arguments = argumentsOf(place, "cudaMemcpy", 0);
  constexpr size_t kSize = 2;
  if (arguments.size() <= kSize) return false;
  std::string size = arguments[kSize];
  std::ranges::transform(size, size.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::none_of(
      std::initializer_list<const char*>{"size", "byte", "pitch", "len", "*", "+"},
      [&](const char* word) { return size.find(word) != std::string::npos; });
}

}  // namespace

Findings wrongSizes(const ProgramRun& run) {
  const Touches touches = touchesIn(run);
  Findings findings;
  std::vector<uint64_t> told;
  for (const LaunchRecord& launch : run.launches) {
    for (const simt::Fault& fault : launch.faults) {
      if (!fault.kind.starts_with("uninitialised")) continue;
      const MemoryRecord* const memory = memoryAt(run, fault.address);
      if (memory == nullptr || std::ranges::find(told, memory->address) != told.end()) continue;
      told.push_back(memory->address);
      std::vector<const Touch*> setters;
      for (const Touch& touch : touches.ofMemory(*memory))
        if (!touch.writes.empty() && touch.work->moment < launch.moment) setters.push_back(&touch);
      if (setters.empty()) {
        findings.push_back({"never-copied", Severity::remark, memory->place,
                            memory->name + " is allocated here, but nothing sets it before " +
                                launch.kernel + " reads it in line " + std::to_string(fault.line)});
      } else if (setters.size() == 1 && setters.front()->work->kind != WorkKind::launch &&
                 setters.front()->writes.back().end <= fault.address) {
        findings.push_back(tooSmall(launch, *memory, *setters.front(), fault.line));
      }
    }
  }
  return findings;
}

Findings shortResults(const ProgramRun& run) {
  Findings findings;
  const Touches touches = touchesIn(run);
  if (!touches.isWhole || !allLaunchesEnded(run)) return findings;
  constexpr uint64_t kFewBytes = 32;
  for (const MemoryRecord& memory : run.memory) {
    const uint32_t each = elementBytes(run, memory);
    if (each < 2 || memory.bytes % each != 0 || memory.bytes / each < kFewBytes) continue;
    Ranges written, read;
    const Touch* copy = nullptr;
    for (const Touch& touch : touches.ofMemory(memory)) {
      if (touch.work->kind == WorkKind::launch) written = unite(written, touch.writes);
      if (touch.work->kind != WorkKind::launch) read = unite(read, touch.reads);
      if (touch.work->toHost) copy = &touch;
    }
    const Ranges all{{memory.address, memory.address + memory.bytes}};
    const Ranges part{{memory.address, memory.address + memory.bytes / each}};
    if (copy == nullptr || written != all || read != part || copy->reads != part) continue;
    if (!countsElements(copy->work->place)) continue;
    findings.push_back({"wrong-size", Severity::fault, copy->work->place,
                        copy->work->what + " copies " + bytesText(bytesIn(part)) + " of " +
                            memory.name + ", which has " + std::to_string(memory.bytes / each) +
                            " elements of " + bytesText(each) +
                            " that were computed, but nothing copies the rest: the size is in "
                            "bytes, not in elements. Multiply it by sizeof"});
  }
  return findings;
}

}  // namespace tilestep::program
