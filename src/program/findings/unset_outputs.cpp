// SPDX-License-Identifier: Apache-2.0
// Results that were never set, and the launches that had too few threads to set them.
#include <algorithm>
#include <optional>

#include "program/answers.h"
#include "program/findings/findings.h"
#include "program/findings/touches.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

uint64_t threadsOf(const LaunchRecord& launch) {
  return launch.launch.grid.count() * launch.launch.block.count();
}

std::string threadsText(const LaunchRecord& launch) {
  const Dim3 &grid = launch.launch.grid, &block = launch.launch.block;
  const auto text = [](const Dim3& size) {
    std::string shape = std::to_string(size.x);
    if (size.y * uint64_t{size.z} > 1) shape += " x " + std::to_string(size.y);
    if (size.z > 1) shape += " x " + std::to_string(size.z);
    return shape;
  };
  return std::to_string(threadsOf(launch)) + " threads (" + text(grid) +
         (grid.count() == 1 ? " block of " : " blocks of ") + text(block) + ")";
}

/// Whole numbers passed to the launch.
std::vector<uint64_t> numbersOf(const LaunchRecord& launch) {
  std::vector<uint64_t> numbers;
  for (const Argument& each : launch.arguments) {
    if (each.isFloat || (each.bytes != 4 && each.bytes != 8)) continue;
    numbers.push_back(each.bytes == 4 ? each.bits & 0xffffffff : each.bits);
  }
  return numbers;
}

/// Whether `elements` was passed to the launch as a number.
bool knowsElements(const LaunchRecord& launch, uint64_t elements) {
  return std::ranges::count(numbersOf(launch), elements) != 0;
}

/// Whether the launch's block count was probably rounded down: the matrix's rows and columns were
/// passed to it, and along some axis it has fewer threads than these, by less than a block.
bool wasRoundedDown(const LaunchRecord& launch, uint64_t elements) {
  const Dim3 &grid = launch.launch.grid, &block = launch.launch.block;
  const uint64_t x = uint64_t{grid.x} * block.x, y = uint64_t{grid.y} * block.y;
  const auto isShort = [](uint64_t count, uint64_t threads, uint64_t ofBlock) {
    return threads < count && count - threads < ofBlock;
  };
  if (y <= 1) return false;
  const std::vector<uint64_t> numbers = numbersOf(launch);
  for (const uint64_t columns : numbers) {
    if (columns < 2 || elements % columns != 0) continue;
    const uint64_t rows = elements / columns;
    if (std::ranges::count(numbers, rows) != 0 &&
        (isShort(columns, x, block.x) || isShort(rows, y, block.y)))
      return true;
  }
  return false;
}

/// The part of a memory that a launch did not write, although it wrote the rest.
struct LeftOut {
  const MemoryRecord* memory = nullptr;
  const LaunchRecord* launch = nullptr;
  Ranges part;           ///< Not written by the launch.
  bool isUnset = false;  ///< Not written by anything else, either.
};

std::optional<Finding> tooFewThreads(const ProgramRun& run, const LeftOut& left,
                                     const Ranges& written) {
  const uint32_t each = elementBytes(run, *left.memory);
  if (each == 0 || left.memory->bytes % each != 0) return std::nullopt;
  const uint64_t elements = left.memory->bytes / each, wrote = bytesIn(written) / each;
  const uint64_t threads = threadsOf(*left.launch);
  // If the unwritten part begins at the first element, the threads may skip the edge on purpose.
  if (left.part.front().begin == left.memory->address) return std::nullopt;
  const bool isOneEach = wrote == threads && threads < elements;
  // If more than half is unwritten, the memory may hold one result per thread.
  const bool knows = isOneEach && 2 * wrote >= elements && knowsElements(*left.launch, elements);
  const bool isTold = knows || wasRoundedDown(*left.launch, elements);
  if (!isTold && !(isOneEach && elements - threads < left.launch->launch.block.count()))
    return std::nullopt;
  // The memory may be longer than its used part if its length was not passed to the launch.
  return Finding{"grid-too-small", left.isUnset && isTold ? Severity::fault : Severity::remark,
                 left.launch->place,
                 "The launch of " + left.launch->kernel + " has " + threadsText(*left.launch) +
                     ", which do not reach all " + std::to_string(elements) + " elements of " +
                     left.memory->name + ": " + partText(left.part, *left.memory, each) +
                     (left.isUnset ? " are never set" : " keep their previous values") +
                     ". Round the number of blocks up: (n + threads - 1) / threads"};
}

Finding unsetOutput(const ProgramRun& run, const Work& copy, const MemoryRecord& memory,
                    const LaunchRecord* launch) {
  const uint64_t unset = bytesIn(copy.unset), all = bytesIn(copy.uses.plainReads);
  std::string text = bytesText(unset) + " of the " + bytesText(all) + " copied from " +
                     memory.name + " were never set: neither a kernel nor a copy wrote them";
  if (unset < all) text += " (" + partText(copy.unset, memory, elementBytes(run, memory)) + ")";
  if (launch != nullptr)
    text +=
        "; the launch of " + launch->kernel + lineText(launch->place) + " wrote the other bytes";
  // Programs often allocate more than they use, and copy all of it. For example, the block sums may
  // be at the front of an array as long as the input. A copy of which nothing was set is useless.
  const bool isNothingSet = unset == all && !run.launches.empty();
  return {"partial-output", isNothingSet ? Severity::fault : Severity::remark, copy.place,
          std::move(text)};
}

}  // namespace

std::vector<Finding> unsetOutputs(const ProgramRun& run) {
  std::vector<Finding> findings;
  const Touches touches = touchesIn(run);
  for (const MemoryRecord& memory : run.memory) {
    Ranges written;
    const LaunchRecord* launch = nullptr;  // The latest launch that wrote to the memory.
    for (const Touch& touch : touches.ofMemory(memory)) {
      if (touch.work->kind == WorkKind::launch && !touch.writes.empty()) {
        written = unite(written, touch.writes);
        launch = &run.launches[touch.work->launch];
      }
      if (!touch.work->toHost) continue;
      const bool isUnset = !touch.work->unset.empty();
      const Ranges part = isUnset ? touch.work->unset : without(touch.reads, written);
      const bool isJudged = launch != nullptr && launch->result == 0 && touches.isWhole;
      std::optional<Finding> cause;
      if (isJudged && !part.empty())
        cause = tooFewThreads(run, {&memory, launch, part, isUnset}, written);
      if (cause) findings.push_back(*cause);
      if (!isUnset) continue;
      findings.push_back(unsetOutput(run, *touch.work, memory, launch));
    }
    // The host reads shared memory without a copy.
    if (!memory.isShared || launch == nullptr || launch->result != 0 || !touches.isWhole) continue;
    const Ranges part = without({{memory.address, memory.address + memory.bytes}}, written);
    if (part.empty()) continue;
    if (auto finding = tooFewThreads(run, {&memory, launch, part, false}, written))
      findings.push_back(std::move(*finding));
  }
  return findings;
}

}  // namespace tilestep::program
