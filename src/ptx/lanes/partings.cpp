// SPDX-License-Identifier: Apache-2.0
#include "ptx/lanes/partings.h"

#include <algorithm>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::ptx {
namespace {

/// Larger functions are not searched for an earlier end: the time is quadratic in the blocks.
constexpr size_t kMostBlocks = 2000;

class Finder {
 public:
  Finder(const Function& function, const ControlFlow& flow, uint32_t block)
      : function_(function), flow_(flow), from_(flow.blocks[block].successors) {
    const uint32_t meeting = flow.reconvergence[flow.blocks[block].end - 1];
    if (meeting < function.body.size()) parting_.end = flow.blockOf[meeting];
  }

  Parting find() {
    const bool isSmall = flow_.blocks.size() <= kMostBlocks;
    if (isSmall && (parting_.end == kNone || onlyReturns(parting_.end))) gather();
    const std::vector<uint32_t> directions = countDirections();
    parting_.ways = reachedFrom(from_, parting_.end);
    if (parting_.end != kNone) parting_.ways[parting_.end] = false;
    for (const uint32_t block : numbersOf(parting_.ways)) {
      if (directions[block] > 1) parting_.early.push_back(block);
    }
    return std::move(parting_);
  }

 private:
  /// `blocks` and all blocks reachable from them, up to and including `end`.
  [[nodiscard]] Bits reachedFrom(const std::vector<uint32_t>& blocks, uint32_t end) const {
    return reach(flow_.blocks.size(), blocks, [&](uint32_t block) {
      return block == end ? std::vector<uint32_t>() : flow_.blocks[block].successors;
    });
  }

  /// For each block, the number of branch directions that lead to it.
  [[nodiscard]] std::vector<uint32_t> countDirections() const {
    std::vector<uint32_t> directions(flow_.blocks.size());
    for (const uint32_t first : from_) {
      for (const uint32_t reached : numbersOf(reachedAlone(first))) ++directions[reached];
    }
    return directions;
  }

  /// `first`, the first block of a direction, and all blocks reachable from it, up to the end and
  /// to the first blocks of other directions.
  [[nodiscard]] Bits reachedAlone(uint32_t first) const {
    return reach(flow_.blocks.size(), {first}, [&](uint32_t block) {
      const bool isOther = block != first && std::ranges::count(from_, block) > 0;
      return isOther || block == parting_.end ? std::vector<uint32_t>()
                                              : flow_.blocks[block].successors;
    });
  }

  [[nodiscard]] bool onlyReturns(uint32_t block) const {
    const Instruction& first = function_.body[flow_.blocks[block].first];
    return isExit(first) && !isGuarded(first);
  }

  [[nodiscard]] bool touchesMemory(uint32_t block) const {
    const auto at = function_.body.begin();
    return std::any_of(at + flow_.blocks[block].first, at + flow_.blocks[block].end,
                       accessesMemory);
  }

  /// Searches for an earlier end: a block that lanes reach unless they return without accesses.
  void gather() {
    const std::vector<uint32_t> directions = countDirections();
    for (uint32_t block = 0; block < directions.size(); ++block) {
      if (directions[block] < 2 || block == parting_.end || onlyReturns(block)) continue;
      const Bits comes = reach(
          flow_.blocks.size(),
          {block}, [&](uint32_t to) -> const auto& { return flow_.blocks[to].predecessors; });
      const bool isMissed =
          std::ranges::any_of(numbersOf(reachedFrom(from_, block)),
                              [&](uint32_t way) { return !comes[way] && touchesMemory(way); });
      if (isMissed) continue;
      parting_.end = block;
      return;
    }
  }

  const Function& function_;
  const ControlFlow& flow_;
  const std::vector<uint32_t> from_;
  Parting parting_;
};

}  // namespace

Parting partingAt(const Function& function, const ControlFlow& flow, uint32_t block) {
  return Finder(function, flow, block).find();
}

}  // namespace tilestep::ptx
