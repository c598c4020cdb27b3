// SPDX-License-Identifier: Apache-2.0
#include "simt/check/unset_watch.h"

#include "ptx/analysis/graph.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::simt {
namespace {

using Kind = ptx::Operand::Kind;

bool isAccess(const ptx::Instruction& i) {
  return i.space != ptx::Space::param && ptx::accessesMemory(i);
}

/// In a companion: the register was never written; the value is another lane's that took no part.
constexpr uint32_t kUnset = 1, kAbsent = 2;

/// Tells of a lane that uses what has no value; `a` is the companion.
void tell(Context& context, const Instr& in) {
  const auto* unset = reinterpret_cast<const uint32_t*>(context.registers + in.a);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    if (unset[lane] == 0) continue;
    const bool absent = (unset[lane] & kUnset) == 0;
    context.fault(context, in, lane, absent ? AccessFault::absent : AccessFault::unset, 0);
  }
}

/// The companion `a` as a shuffle finds it: lanes that are not here have no value.
void markAbsent(Context& context, const Instr& in) {
  const auto* from = reinterpret_cast<const uint32_t*>(context.registers + in.a);
  auto* to = reinterpret_cast<uint32_t*>(context.registers + in.d);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    to[lane] = (context.mask >> lane & 1) != 0 ? from[lane] : kAbsent;
  }
}

/// The register that a shuffle writes; kNone: it is thrown away.
uint32_t resultOf(const ptx::Instruction& shuffle) {
  const ptx::Operand& to = shuffle.operands.front();
  return to.kind == Kind::pair ? to.elements.front().reg : to.reg;
}

}  // namespace

UnsetWatch::UnsetWatch(const ptx::Function& entry, const ptx::ControlFlow& flow) : entry_(entry) {
  // Companions begin at the first instruction, so nothing may come back to it.
  if (entry.body.empty() || entry.body[0].guard.reg != ptx::kNone) return;
  if (!flow.blocks[0].predecessors.empty()) return;
  for (const uint32_t reg : ptx::numbersOf(ptx::Liveness(entry, flow).readBeforeWritten())) {
    if (entry.registers[reg].type != ptx::Type::pred) roots_.push_back(reg);
  }
  for (const ptx::Instruction& i : entry.body) {
    const bool known = i.opcode == ptx::Opcode::shfl && i.operands.size() >= 4;
    if (known && resultOf(i) != ptx::kNone) shuffled_.push_back(resultOf(i));
  }
  findReached();
}

void UnsetWatch::findReached() {
  const size_t count = entry_.registers.size();
  ptx::Graph passing(count);  // By register: those that have no value where it has none.
  for (const ptx::Instruction& i : entry_.body) {
    if (!ptx::needsValues(i) || i.operands.front().kind != Kind::reg) continue;
    for (const ptx::Operand* source : ptx::sourcesOf(i)) {
      if (source->reg != ptx::kNone) passing[source->reg].push_back(i.operands.front().reg);
    }
  }
  std::vector<uint32_t> from = roots_;
  from.insert(from.end(), shuffled_.begin(), shuffled_.end());
  const std::vector<bool> reached = ptx::reach(
      count, from, [&](uint32_t reg) -> const auto& { return passing[reg]; });
  for (const uint32_t reg : ptx::numbersOf(reached)) rows_[reg] = kNoRow;
}

void UnsetWatch::begin(Emitter& e) {
  for (auto& [reg, row] : rows_) row = e.newRow(false);
  for (const uint32_t reg : roots_) {
    e.copy(rows_.at(reg), e.constant(kUnset, Lane::u32), false);
  }
}

void UnsetWatch::write(Emitter& e, const ptx::Instruction& i, uint32_t reg) {
  std::vector<uint32_t> sources;
  if (ptx::needsValues(i)) {
    for (const ptx::Operand* operand : ptx::sourcesOf(i)) {
      const auto at = operand->kind == Kind::reg ? rows_.find(operand->reg) : rows_.end();
      if (at != rows_.end()) sources.push_back(at->second);
    }
  }
  if (sources.empty()) sources.push_back(e.constant(0, Lane::u32));
  uint32_t row = sources.front();
  for (size_t k = 1; k < sources.size(); ++k) {
    const uint32_t both = e.temporary();
    e.emit(Op::bitOr, Lane::u32, both, {.a = row, .b = sources[k]});
    row = both;
  }
  e.copy(rows_.at(reg), row, false);
}

void UnsetWatch::shuffle(Emitter& e, const ptx::Instruction& i) {
  const auto to = rows_.find(resultOf(i));
  const Handler operation = shuffleOf(e);
  if (to == rows_.end() || operation == nullptr) return;
  const auto from = rows_.find(i.operands[1].reg);
  Instr mark, take;
  mark.op = markAbsent;
  mark.a = from == rows_.end() ? e.constant(0, Lane::u32) : from->second;
  mark.d = take.a = e.temporary();
  take.op = operation;
  take.b = e.read(i.operands[2], Lane::u32);
  take.c = e.read(i.operands[3], Lane::u32);
  take.d = to->second;
  take.target = kNoRow;
  e.emitOfWarp(mark);
  e.emitOfWarp(take);
}

void UnsetWatch::followTogether(Emitter& e, uint32_t index) {
  if (entry_.body[index].opcode == ptx::Opcode::shfl) shuffle(e, entry_.body[index]);
}

void UnsetWatch::look(Emitter& e, const ptx::Operand& operand) const {
  for (const ptx::Operand& element : operand.elements) look(e, element);
  const auto at = rows_.find(operand.reg);
  if (operand.reg == ptx::kNone || at == rows_.end()) return;
  Instr instr;
  instr.op = tell;
  instr.a = at->second;
  e.emitOfWarp(instr);
}

void UnsetWatch::follow(Emitter& e, uint32_t index) {
  if (rows_.empty()) return;
  const ptx::Instruction& i = entry_.body[index];
  if (index == 0) begin(e);
  if (isAccess(i)) {
    for (const ptx::Operand* operand : ptx::sourcesOf(i)) look(e, *operand);
  }
  if (i.opcode == ptx::Opcode::shfl) return ptx::joinsLanes(i) ? void() : shuffle(e, i);
  for (const uint32_t reg : ptx::writtenRegisters(i)) {
    if (rows_.count(reg) != 0) write(e, i, reg);
  }
}

}  // namespace tilestep::simt
