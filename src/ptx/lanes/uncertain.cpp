// SPDX-License-Identifier: Apache-2.0
#include "ptx/lanes/uncertain.h"

#include <algorithm>
#include <utility>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/copies.h"
#include "ptx/analysis/counted.h"
#include "ptx/analysis/loop_nest.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"
#include "ptx/lanes/lane_variance.h"
#include "ptx/lanes/partings.h"
#include "ptx/lanes/unrolled_loops.h"
#include "ptx/lanes/waiting_loops.h"

namespace tilestep::ptx {
namespace {

using Because = UncertainAccess::Because;

class UncertainFinder {
 public:
  explicit UncertainFinder(const Function& function)
      : function_(function),
        flow_(analyseControlFlow(function)),
        graph_(function),
        varying_(varyingRegisters(function, flow_)) {}

  std::vector<UncertainAccess> find() {
    for (const Loop& loop : loopsOf(flow_)) markLoop(loop);
    for (uint32_t block = 0; block < flow_.blocks.size(); ++block) markMeetings(block);
    markPlaces();
    std::ranges::stable_sort(found_, {}, &UncertainAccess::instruction);
    return std::move(found_);
  }

 private:
  void mark(const std::vector<uint32_t>& instructions, Because because, uint32_t at,
            uint32_t branch = kNone, bool ifParted = false) {
    for (const uint32_t i : instructions) {
      const Instruction& instruction = function_.body[i];
      const bool accesses =
          accessOf(instruction) || isCopy(instruction) || instruction.opcode == Opcode::call;
      if (accesses) found_.push_back({i, because, at, branch, ifParted});
    }
  }

  [[nodiscard]] bool varies(uint32_t instruction) const {
    return std::ranges::any_of(graph_.read[instruction],
                               [&](uint32_t reg) -> bool { return varying_[reg]; });
  }

  void markLoop(const Loop& loop) {
    for (const uint32_t exit : waitsOf(function_, flow_, graph_, loop)) {
      const uint32_t branch = isBranch(function_.body[exit]) ? exit : kNone;
      mark(instructionsOf(flow_, loop), Because::waits, exit, branch);
      mark(upToBarrier(function_, flow_, loop, exit), Because::waited, exit, branch);
    }
    if (!mayBeUnrolled(function_, flow_, graph_, loop)) return;
    const uint32_t exit = exitsOf(function_, flow_, loop).front();
    if (varies(exit)) mark(instructionsOf(flow_, loop), Because::unrolled, exit, exit, true);
  }

  /// Some lanes that diverge at the end of `block` may meet before all of them reconverge. If they
  /// meet at a direct successor of the branch, as for the `else` of `if (a && b)`, the assembler
  /// makes them reconverge there. It does not if both directions lead through other blocks first.
  void markMeetings(uint32_t block) {
    const uint32_t last = flow_.blocks[block].end - 1;
    const Instruction& branch = function_.body[last];
    const bool isTable = branch.opcode == Opcode::brx;
    if (!isTable && !(isBranch(branch) && isGuarded(branch))) return;
    if (!varies(last)) return;
    const Parting parting = partingAt(function_, flow_, block);
    for (const uint32_t early : parting.early) {
      if (!isTable && std::ranges::count(flow_.blocks[block].successors, early) > 0) continue;
      mark(after(early, parting), Because::meets, flow_.blocks[early].first, last, true);
    }
  }

  /// Marks accesses whose address depends on the result of an atomic operation.
  void markPlaces() {
    std::vector<uint32_t> from(varying_.size(), kNone);  // By register.
    graph_.solve([&](uint32_t i) {
      uint32_t atomic = effectOf(function_.body[i]) == Effect::atomic ? i : kNone;
      for (const uint32_t reg : graph_.read[i]) {
        if (atomic == kNone) atomic = from[reg];
      }
      bool changed = false;
      for (const uint32_t reg : graph_.written[i]) {
        if (atomic == kNone || from[reg] != kNone) continue;
        from[reg] = atomic;
        changed = true;
      }
      return changed;
    });
    for (uint32_t i = 0; i < function_.body.size(); ++i) {
      const auto access = accessOf(function_.body[i]);
      const uint32_t reg = access ? access->address->reg : kNone;
      if (reg != kNone && from[reg] != kNone) mark({i}, Because::places, from[reg]);
    }
  }

  /// The instructions from `block` until all diverged lanes have reconverged.
  [[nodiscard]] std::vector<uint32_t> after(uint32_t block, const Parting& parting) const {
    const Bits reached = reach(flow_.blocks.size(), {block}, [&](uint32_t from) {
      std::vector<uint32_t> next = flow_.blocks[from].successors;
      std::erase_if(next, [&](uint32_t to) { return !parting.ways[to]; });
      return next;
    });
    std::vector<uint32_t> instructions;
    for (const uint32_t each : numbersOf(reached)) {
      for (uint32_t i = flow_.blocks[each].first; i < flow_.blocks[each].end; ++i)
        instructions.push_back(i);
    }
    return instructions;
  }

  const Function& function_;
  const ControlFlow flow_;
  const RegisterGraph graph_;
  const Bits varying_;  ///< For each register.
  std::vector<UncertainAccess> found_;
};

}  // namespace

std::vector<UncertainAccess> uncertainAccesses(const Function& function) {
  return function.body.empty() ? std::vector<UncertainAccess>() : UncertainFinder(function).find();
}

std::optional<uint32_t> firstPrintOf(const Function& function) {
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    const Instruction& call = function.body[i];
    if (call.opcode != Opcode::call) continue;
    if (std::ranges::any_of(call.operands, [](const Operand& o) { return o.name == "vprintf"; }))
      return i;
  }
  return std::nullopt;
}

}  // namespace tilestep::ptx
