// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/loop_nest.h"

#include <algorithm>
#include <map>

#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

class LoopFinder {
 public:
  explicit LoopFinder(const ControlFlow& flow) : flow_(flow) {}

  std::vector<Loop> find() {
    Loop whole;
    for (uint32_t block = 0; block < flow_.blocks.size(); ++block) whole.blocks.push_back(block);
    findInside(whole);
    for (size_t next = 0; next < loops_.size(); ++next) {
      const Loop outer = loops_[next];
      loops_[next].isInnermost = !findInside(outer);
    }
    return std::move(loops_);
  }

 private:
  /// Adds the loops that remain in `outer` without edges to its entries. Returns whether any exist.
  bool findInside(const Loop& outer) {
    const auto level = static_cast<uint32_t>(loops_.size());
    std::map<uint32_t, uint32_t> numberOf;
    for (uint32_t i = 0; i < outer.blocks.size(); ++i) numberOf[outer.blocks[i]] = i;
    Graph edges(outer.blocks.size());
    for (uint32_t i = 0; i < outer.blocks.size(); ++i) {
      for (const uint32_t next : flow_.blocks[outer.blocks[i]].successors) {
        const auto at = numberOf.find(next);
        if (at != numberOf.end() && !std::ranges::binary_search(outer.entries, next))
          edges[i].push_back(at->second);
      }
    }
    const Cycles cycles = cyclesOf(edges);
    std::map<uint32_t, Loop> found;
    for (uint32_t i = 0; i < outer.blocks.size(); ++i) {
      if (cycles.cyclic[i]) found[cycles.component[i]].blocks.push_back(outer.blocks[i]);
    }
    for (auto& [number, loop] : found) {
      loop.entries = entriesOf(loop);
      if (loop.entries.empty()) continue;
      if (loop.entries.size() == 1) loop.header = loop.entries.front();
      loops_.push_back(std::move(loop));
    }
    return loops_.size() > level;
  }

  [[nodiscard]] std::vector<uint32_t> entriesOf(const Loop& loop) const {
    std::vector<uint32_t> entries;
    for (const uint32_t block : loop.blocks) {
      const bool isEntered =
          block == 0 || std::ranges::any_of(flow_.blocks[block].predecessors, [&](uint32_t before) {
            return !std::ranges::binary_search(loop.blocks, before);
          });
      if (isEntered) entries.push_back(block);
    }
    return entries;
  }

  const ControlFlow& flow_;
  std::vector<Loop> loops_;
};

}  // namespace

std::vector<Loop> loopsOf(const ControlFlow& flow) {
  return LoopFinder(flow).find();
}

std::vector<uint32_t> instructionsOf(const ControlFlow& flow, const Loop& loop) {
  std::vector<uint32_t> instructions;
  for (const uint32_t block : loop.blocks) {
    for (uint32_t i = flow.blocks[block].first; i < flow.blocks[block].end; ++i)
      instructions.push_back(i);
  }
  return instructions;
}

std::vector<uint32_t> exitsOf(const Function& function, const ControlFlow& flow, const Loop& loop) {
  std::vector<uint32_t> exits;
  for (const uint32_t i : instructionsOf(flow, loop)) {
    const BasicBlock& block = flow.blocks[flow.blockOf[i]];
    const bool leaves =
        i + 1 == block.end && std::ranges::any_of(block.successors, [&](uint32_t next) {
          return !std::ranges::binary_search(loop.blocks, next);
        });
    if (leaves || isExit(function.body[i])) exits.push_back(i);
  }
  return exits;
}

}  // namespace tilestep::ptx
