// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/uncertain.h"

#include <algorithm>
#include <optional>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/counted.h"
#include "ptx/analysis/lane_variance.h"
#include "ptx/analysis/loop_nest.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

/// The longest loop that is taken to be unrolled, in steps. The assembler's own limit was seen
/// between 48 and 52 such steps.
constexpr uint32_t kLongestLoop = 52;

/// How much an instruction adds to the length of a loop, in steps.
uint32_t stepsOf(const Instruction& i) {
  const bool divides = i.opcode == Opcode::div || i.opcode == Opcode::rem;
  if (divides && !isFloat(i.type)) return 22;
  return readsMemory(i) ? 2 : 1;
}

/// A division or root whose rare cases the assembler leaves to a subroutine.
bool callsSubroutine(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::div:
    case Opcode::rem:
      return isFloat(i.type) ? !i.approx && !i.has("full") : bytesOf(i.type) == 8;
    case Opcode::sqrt:
    case Opcode::rcp:
      return !i.approx;
    default:
      return false;
  }
}

bool keepsLoopWhole(const Instruction& i) {
  switch (effectOf(i)) {
    case Effect::barrier:
    case Effect::lanes:
    case Effect::atomic:
    case Effect::fence:
    case Effect::call:
    case Effect::copy:
    case Effect::object:
    case Effect::leave:
    case Effect::trap:
      return true;
    default:
      return callsSubroutine(i) || std::ranges::count(i.pragmas, "nounroll") > 0;
  }
}

/// Loads what other threads may be writing, or the time.
bool looksAtOthers(const Instruction& i) {
  if (effectOf(i) == Effect::atomic) return true;
  if (effectOf(i) == Effect::load)
    return i.isVolatile || i.has("acquire") || i.has("relaxed") || i.has("mmio");
  return std::ranges::any_of(i.operands, [](const Operand& operand) {
    return operand.kind == Operand::Kind::special && operand.special >= SpecialRegister::clock &&
           operand.special <= SpecialRegister::globaltimer;
  });
}

class UncertainFinder {
 public:
  explicit UncertainFinder(const Function& function)
      : function_(function),
        flow_(analyseControlFlow(function)),
        graph_(function),
        varying_(varyingRegisters(function, flow_)),
        found_(function.body.size()) {}

  std::vector<UncertainAccess> find() {
    for (const Loop& loop : loopsOf(flow_)) {
      markWaiting(loop);
      markUnrolled(loop);
    }
    std::vector<UncertainAccess> accesses;
    for (const auto& access : found_) {
      if (access) accesses.push_back(*access);
    }
    return accesses;
  }

 private:
  template <class Visit>
  void forEachIn(const Loop& loop, Visit visit) const {
    for (const uint32_t block : loop.blocks) {
      for (uint32_t i = flow_.blocks[block].first; i < flow_.blocks[block].end; ++i) visit(i);
    }
  }

  void mark(uint32_t instruction, bool waits, uint32_t exit) {
    if (found_[instruction] || !accessOf(function_.body[instruction])) return;
    found_[instruction] = UncertainAccess{instruction, waits, exit};
  }

  /// The branches and guarded exits by which threads leave the loop.
  [[nodiscard]] std::vector<uint32_t> exitsOf(const Loop& loop) const {
    std::vector<uint32_t> exits;
    forEachIn(loop, [&](uint32_t i) {
      if (isExit(function_.body[i])) exits.push_back(i);
    });
    for (const uint32_t block : loop.blocks) {
      const bool leaves = std::ranges::any_of(flow_.blocks[block].successors, [&](uint32_t next) {
        return !std::ranges::binary_search(loop.blocks, next);
      });
      if (leaves) exits.push_back(flow_.blocks[block].end - 1);
    }
    return exits;
  }

  // ---- Loops that are unrolled ----

  void markUnrolled(const Loop& loop) {
    const std::vector<uint32_t> exits = exitsOf(loop);
    if (!loop.isInnermost || loop.header == kNone || exits.size() != 1) return;
    const Instruction& exit = function_.body[exits.front()];
    if (!isBranch(exit) || !isGuarded(exit) || !varying_[exit.guard.reg]) return;
    if (!isShort(loop) || !counts(loop, exit.guard.reg)) return;
    forEachIn(loop, [&](uint32_t i) { mark(i, false, exits.front()); });
  }

  [[nodiscard]] bool isShort(const Loop& loop) const {
    uint32_t steps = 0;
    bool isWhole = false;
    forEachIn(loop, [&](uint32_t i) {
      steps += stepsOf(function_.body[i]);
      isWhole = isWhole || keepsLoopWhole(function_.body[i]);
    });
    return !isWhole && steps <= kLongestLoop;
  }

  /// The predicate compares what the loop counts by a constant with what it does not change.
  [[nodiscard]] bool counts(const Loop& loop, uint32_t predicate) const {
    const auto writer = onlyWriter(loop, predicate);
    if (!writer || function_.body[*writer].opcode != Opcode::setp) return false;
    const auto& operands = function_.body[*writer].operands;
    if (operands.size() != 3) return false;
    return (isCounter(loop, operands[1]) && isFixed(loop, operands[2])) ||
           (isCounter(loop, operands[2]) && isFixed(loop, operands[1]));
  }

  /// The instructions of the loop that write a register.
  [[nodiscard]] std::vector<uint32_t> writersIn(const Loop& loop, uint32_t reg) const {
    std::vector<uint32_t> writers = graph_.writers[reg];
    std::erase_if(writers, [&](uint32_t i) {
      return !std::ranges::binary_search(loop.blocks, flow_.blockOf[i]);
    });
    return writers;
  }

  [[nodiscard]] std::optional<uint32_t> onlyWriter(const Loop& loop, uint32_t reg) const {
    const std::vector<uint32_t> writers = writersIn(loop, reg);
    const bool isOne = writers.size() == 1 && !isGuarded(function_.body[writers.front()]);
    return isOne ? std::optional(writers.front()) : std::nullopt;
  }

  [[nodiscard]] bool isFixed(const Loop& loop, const Operand& operand) const {
    if (operand.kind == Operand::Kind::immediate) return true;
    return operand.kind == Operand::Kind::reg && writersIn(loop, operand.reg).empty();
  }

  /// A register that the loop computes from itself, by adding constants.
  [[nodiscard]] bool isCounter(const Loop& loop, const Operand& operand) const {
    if (operand.kind != Operand::Kind::reg) return false;
    std::vector<uint32_t> seen;
    for (uint32_t reg = operand.reg; std::ranges::count(seen, reg) == 0;) {
      const auto writer = onlyWriter(loop, reg);
      if (!writer) return false;
      seen.push_back(reg);
      const auto from = addsConstant(function_.body[*writer]);
      if (!from) return false;
      reg = *from;
    }
    return true;
  }

  /// The register to which the instruction adds a constant, or which it copies.
  [[nodiscard]] std::optional<uint32_t> addsConstant(const Instruction& i) const {
    const auto& o = i.operands;
    if (isFloat(i.type) || o.size() < 2) return {};
    const bool moves = i.opcode == Opcode::mov || i.opcode == Opcode::cvt;
    if (moves && o[1].kind == Operand::Kind::reg) return o[1].reg;
    if ((i.opcode != Opcode::add && i.opcode != Opcode::sub) || o.size() != 3) return {};
    if (o[1].kind == Operand::Kind::reg && isConstant(o[2])) return o[1].reg;
    if (o[2].kind == Operand::Kind::reg && i.opcode == Opcode::add && isConstant(o[1]))
      return o[2].reg;
    return {};
  }

  /// An immediate value, or a register that is only ever given one.
  [[nodiscard]] bool isConstant(const Operand& operand) const {
    if (operand.kind == Operand::Kind::immediate) return true;
    if (operand.kind != Operand::Kind::reg) return false;
    const std::vector<uint32_t>& writers = graph_.writers[operand.reg];
    if (writers.size() != 1) return false;
    const Instruction& only = function_.body[writers.front()];
    return only.opcode == Opcode::mov && only.operands[1].kind == Operand::Kind::immediate;
  }

  // ---- Loops that wait ----

  void markWaiting(const Loop& loop) {
    Bits inside(function_.body.size());
    forEachIn(loop, [&](uint32_t i) { inside[i] = true; });
    Bits ofOthers(varying_.size());
    const auto isOfOthers = [&](uint32_t reg) -> bool { return ofOthers[reg]; };
    graph_.solve([&](uint32_t i) {
      const bool follows = inside[i] && (looksAtOthers(function_.body[i]) ||
                                         std::ranges::any_of(graph_.read[i], isOfOthers));
      bool changed = false;
      for (const uint32_t reg : graph_.written[i]) {
        if (follows && !ofOthers[reg]) ofOthers[reg] = changed = true;
      }
      return changed;
    });
    for (const uint32_t exit : exitsOf(loop)) {
      const Instruction& branch = function_.body[exit];
      const auto read = readRegisters(branch);
      if (std::ranges::none_of(read, [&](uint32_t reg) -> bool { return ofOthers[reg]; })) continue;
      forEachIn(loop, [&](uint32_t i) { mark(i, true, exit); });
      markToBarrier(loop, exit);
    }
  }

  /// What follows the loop up to the next barriers.
  void markToBarrier(const Loop& loop, uint32_t exit) {
    const auto outside = [&](uint32_t block) {
      std::vector<uint32_t> next = flow_.blocks[block].successors;
      std::erase_if(next, [&](uint32_t b) { return std::ranges::binary_search(loop.blocks, b); });
      return next;
    };
    const auto firstBarrier = [&](uint32_t block) {
      uint32_t i = flow_.blocks[block].first;
      while (i < flow_.blocks[block].end && !isBarrier(function_.body[i])) ++i;
      return i;
    };
    const Bits reached =
        reach(flow_.blocks.size(), outside(flow_.blockOf[exit]), [&](uint32_t block) {
          return firstBarrier(block) == flow_.blocks[block].end ? outside(block)
                                                                : std::vector<uint32_t>();
        });
    for (const uint32_t block : numbersOf(reached)) {
      for (uint32_t i = flow_.blocks[block].first; i < firstBarrier(block); ++i)
        mark(i, true, exit);
    }
  }

  const Function& function_;
  const ControlFlow flow_;
  const RegisterGraph graph_;
  const Bits varying_;                                 ///< By register.
  std::vector<std::optional<UncertainAccess>> found_;  ///< By instruction.
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
