// SPDX-License-Identifier: Apache-2.0
#include "simt/check/unset_watch.h"

#include <algorithm>

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

/// Its result has no value where one of its sources has none, or the one that it selects.
bool passesOn(const ptx::Instruction& i) {
  if (i.operands.empty()) return false;
  const bool compares = i.opcode == ptx::Opcode::setp;
  return compares || i.opcode == ptx::Opcode::selp ||
         (ptx::needsValues(i) && i.operands.front().kind == Kind::reg);
}

/// A vector that is stored may be a copy of a structure, of which not every member has a value.
bool isPartOfVector(const ptx::Instruction& i, const ptx::Operand& operand) {
  return ptx::effectOf(i) == ptx::Effect::store && operand.elements.size() > 1;
}

/// What its guard decides shows itself outside of its registers.
bool goesByGuard(const ptx::Instruction& i) {
  const bool stores = isAccess(i) && ptx::effectOf(i) != ptx::Effect::load;
  return stores || i.opcode == ptx::Opcode::bra || i.opcode == ptx::Opcode::brx ||
         i.opcode == ptx::Opcode::call || ptx::isExit(i) || ptx::isBlockBarrier(i);
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

/// The companion of a selection: `c` is its predicate, `a` and `b` are companions of the values,
/// and `address` is that of the predicate.
void choose(Context& context, const Instr& in) {
  const auto rowAt = [&](uint32_t row) {
    return reinterpret_cast<uint32_t*>(context.registers + row);
  };
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const uint32_t chosen = rowAt(in.c)[lane] != 0 ? rowAt(in.a)[lane] : rowAt(in.b)[lane];
    rowAt(in.d)[lane] = chosen | rowAt(in.address)[lane];
  }
}

/// The register that a shuffle writes; kNone: it is thrown away.
uint32_t resultOf(const ptx::Instruction& shuffle) {
  const ptx::Operand& to = shuffle.operands.front();
  return to.kind == Kind::pair ? to.elements.front().reg : to.reg;
}

}  // namespace

UnsetWatch::UnsetWatch(const ptx::Function& function, const ptx::ControlFlow& flow)
    : function_(function) {
  // Companions begin at the first instruction, so nothing may come back to it.
  if (function.body.empty() || function.body[0].guard.reg != ptx::kNone) return;
  if (!flow.blocks[0].predecessors.empty()) return;
  // What stands in registers as a parameter has its value from the caller.
  if (std::ranges::any_of(function.parameters, &ptx::Parameter::isRegister)) return;
  for (const uint32_t reg : ptx::numbersOf(ptx::Liveness(function, flow).readBeforeWritten())) {
    if (function.registers[reg].type != ptx::Type::pred) roots_.push_back(reg);
  }
  for (const ptx::Instruction& i : function.body) {
    const bool known = i.opcode == ptx::Opcode::shfl && i.operands.size() >= 4;
    if (known && resultOf(i) != ptx::kNone) shuffled_.push_back(resultOf(i));
  }
  findReached();
  // A structure is an array of bytes, also where it has only one.
  const auto addScalars = [&](const auto& list) {
    for (const auto& each : list)
      if (each.elements == 1 && ptx::bytesOf(each.type) > 1) scalars_.insert(each.name);
  };
  addScalars(function.variables);
  addScalars(function.results);
}

void UnsetWatch::findReached() {
  const size_t count = function_.registers.size();
  ptx::Graph passing(count);  // By register: those that have no value where it has none.
  for (const ptx::Instruction& i : function_.body) {
    if (!passesOn(i)) continue;
    for (const ptx::Operand* source : ptx::sourcesOf(i)) {
      if (source->reg == ptx::kNone) continue;
      for (const uint32_t to : ptx::writtenRegisters(i)) passing[source->reg].push_back(to);
    }
  }
  std::vector<uint32_t> from = roots_;
  from.insert(from.end(), shuffled_.begin(), shuffled_.end());
  const std::vector<bool> reached = ptx::reach(
      count, from, [&](uint32_t reg) -> const auto& { return passing[reg]; });
  for (const uint32_t reg : ptx::numbersOf(reached)) rows_[reg] = kNoRow;
}

void UnsetWatch::begin(Emitter& e) {
  for (auto& [reg, row] : rows_) {
    row = e.newRow(false);
    // What an earlier block left must not speak for a predicate, which is no root.
    const bool isPredicate = function_.registers[reg].type == ptx::Type::pred;
    if (isPredicate) e.copy(row, e.constant(0, Lane::u32), false);
  }
  for (const uint32_t reg : roots_) {
    e.copy(rows_.at(reg), e.constant(kUnset, Lane::u32), false);
  }
}

void UnsetWatch::write(Emitter& e, const ptx::Instruction& i, uint32_t reg) {
  std::vector<uint32_t> sources;
  if (passesOn(i)) {
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

uint32_t UnsetWatch::companionOf(Emitter& e, const ptx::Operand& operand) const {
  const auto at = operand.kind == Kind::reg ? rows_.find(operand.reg) : rows_.end();
  return at == rows_.end() ? e.constant(0, Lane::u32) : at->second;
}

void UnsetWatch::select(Emitter& e, const ptx::Instruction& i) {
  Instr instr;
  instr.op = choose;
  instr.a = companionOf(e, i.operands[1]);
  instr.b = companionOf(e, i.operands[2]);
  instr.c = e.readPredicate(i.operands[3]);
  instr.address = companionOf(e, i.operands[3]);
  instr.d = rows_.at(i.operands[0].reg);
  instr.target = kNoRow;
  e.emitOfWarp(instr);
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
  if (function_.body[index].opcode == ptx::Opcode::shfl) shuffle(e, function_.body[index]);
}

void UnsetWatch::lookAt(Emitter& e, uint32_t reg) const {
  const auto at = rows_.find(reg);
  if (reg == ptx::kNone || at == rows_.end()) return;
  Instr instr;
  instr.op = tell;
  instr.a = at->second;
  e.emitOfWarp(instr);
}

void UnsetWatch::look(Emitter& e, const ptx::Operand& operand) const {
  for (const ptx::Operand& element : operand.elements) look(e, element);
  lookAt(e, operand.reg);
}

/// A store to a parameter of a call, or to a result, that holds one value. A structure may have
/// members without a value, and bytes between them.
bool UnsetWatch::passesScalar(const ptx::Instruction& i) const {
  const ptx::Operand* to = ptx::addressOf(i);
  const bool stores = i.space == ptx::Space::param && ptx::effectOf(i) == ptx::Effect::store;
  if (!stores || to == nullptr) return false;
  return scalars_.contains(to->name);
}

void UnsetWatch::follow(Emitter& e, uint32_t index) {
  if (rows_.empty()) return;
  const ptx::Instruction& i = function_.body[index];
  if (index == 0) begin(e);
  if (goesByGuard(i)) {
    e.begin(index, true);  // The guard is what is looked at.
    lookAt(e, i.guard.reg);
    e.begin(index);
  }
  if (i.opcode == ptx::Opcode::brx) look(e, i.operands.front());
  if (isAccess(i) || passesScalar(i)) {
    for (const ptx::Operand* operand : ptx::sourcesOf(i))
      if (!isPartOfVector(i, *operand)) look(e, *operand);
  }
  if (i.opcode == ptx::Opcode::shfl) return ptx::joinsLanes(i) ? void() : shuffle(e, i);
  if (i.opcode == ptx::Opcode::selp && i.operands.size() == 4) {
    if (rows_.count(i.operands[0].reg) != 0) select(e, i);
    return;
  }
  for (const uint32_t reg : ptx::writtenRegisters(i)) {
    if (rows_.count(reg) != 0) write(e, i, reg);
  }
}

}  // namespace tilestep::simt
