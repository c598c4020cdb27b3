// SPDX-License-Identifier: Apache-2.0
#include "ptx/lanes/unrolled_loops.h"

#include <algorithm>
#include <optional>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

/// The length, in steps, of the longest loop that we assume to be unrolled. The assembler's actual
/// limit was observed to be between 48 and 52 steps.
constexpr uint32_t kLongestLoop = 52;

/// The contribution of an instruction to the length of a loop, in steps.
uint32_t stepsOf(const Instruction& i) {
  const bool divides = i.opcode == Opcode::div || i.opcode == Opcode::rem;
  if (divides && !isFloat(i.type)) return 22;
  return readsMemory(i) ? 2 : 1;
}

/// Whether it is a division, root or reciprocal whose rare cases are in a subroutine.
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

class LoopText {
 public:
  LoopText(const Function& function, const ControlFlow& flow, const RegisterGraph& graph,
           const Loop& loop)
      : function_(function), flow_(flow), graph_(graph), loop_(loop) {}

  [[nodiscard]] bool isShort() const {
    uint32_t steps = 0;
    bool isWhole = false;
    for (const uint32_t i : instructionsOf(flow_, loop_)) {
      steps += stepsOf(function_.body[i]);
      isWhole = isWhole || keepsLoopWhole(function_.body[i]);
    }
    return !isWhole && steps <= kLongestLoop;
  }

  /// Whether the predicate compares a counter with constant steps to a loop-invariant value.
  [[nodiscard]] bool counts(uint32_t predicate) const {
    const auto writer = onlyWriter(predicate);
    if (!writer || function_.body[*writer].opcode != Opcode::setp) return false;
    const auto& operands = function_.body[*writer].operands;
    if (operands.size() != 3) return false;
    return (isCounter(operands[1]) && isFixed(operands[2])) ||
           (isCounter(operands[2]) && isFixed(operands[1]));
  }

 private:
  /// The instructions of the loop that write the register.
  [[nodiscard]] std::vector<uint32_t> writersIn(uint32_t reg) const {
    std::vector<uint32_t> writers = graph_.writers[reg];
    std::erase_if(writers, [&](uint32_t i) {
      return !std::ranges::binary_search(loop_.blocks, flow_.blockOf[i]);
    });
    return writers;
  }

  [[nodiscard]] std::optional<uint32_t> onlyWriter(uint32_t reg) const {
    const std::vector<uint32_t> writers = writersIn(reg);
    const bool isOne = writers.size() == 1 && !isGuarded(function_.body[writers.front()]);
    return isOne ? std::optional(writers.front()) : std::nullopt;
  }

  [[nodiscard]] bool isFixed(const Operand& operand) const {
    if (operand.kind == Operand::Kind::immediate) return true;
    return operand.kind == Operand::Kind::reg && writersIn(operand.reg).empty();
  }

  /// Whether the operand is a register that the loop computes from itself by adding constants.
  [[nodiscard]] bool isCounter(const Operand& operand) const {
    if (operand.kind != Operand::Kind::reg) return false;
    std::vector<uint32_t> seen;
    for (uint32_t reg = operand.reg; std::ranges::count(seen, reg) == 0;) {
      const auto writer = onlyWriter(reg);
      if (!writer) return false;
      seen.push_back(reg);
      const auto from = addsConstant(function_.body[*writer]);
      if (!from) return false;
      reg = *from;
    }
    return true;
  }

  /// The register that the instruction copies or adds a constant to.
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

  /// Whether it is an immediate, or a register whose only writer sets it to an immediate.
  [[nodiscard]] bool isConstant(const Operand& operand) const {
    if (operand.kind == Operand::Kind::immediate) return true;
    if (operand.kind != Operand::Kind::reg) return false;
    const std::vector<uint32_t>& writers = graph_.writers[operand.reg];
    if (writers.size() != 1) return false;
    const Instruction& only = function_.body[writers.front()];
    return only.opcode == Opcode::mov && only.operands[1].kind == Operand::Kind::immediate;
  }

  const Function& function_;
  const ControlFlow& flow_;
  const RegisterGraph& graph_;
  const Loop& loop_;
};

}  // namespace

bool mayBeUnrolled(const Function& function, const ControlFlow& flow, const RegisterGraph& graph,
                   const Loop& loop) {
  const std::vector<uint32_t> exits = exitsOf(function, flow, loop);
  if (!loop.isInnermost || loop.header == kNone || exits.size() != 1) return false;
  const Instruction& exit = function.body[exits.front()];
  if (!isBranch(exit) || !isGuarded(exit)) return false;
  const LoopText text(function, flow, graph, loop);
  return text.isShort() && text.counts(exit.guard.reg);
}

}  // namespace tilestep::ptx
