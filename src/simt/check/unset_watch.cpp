// SPDX-License-Identifier: Apache-2.0
#include "simt/check/unset_watch.h"

#include <algorithm>

#include "ptx/analysis/graph.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"
#include "simt/check/unset_bits.h"

namespace tilestep::simt {
namespace {

using Kind = ptx::Operand::Kind;
using ptx::Effect;
using ptx::Opcode;

bool isLoad(const ptx::Instruction& i) {
  return i.opcode == Opcode::ld && i.space != ptx::Space::param && i.space != ptx::Space::constant;
}

/// Whether the instruction only computes results, which are unset if its sources are.
bool passesOn(const ptx::Instruction& i) {
  return ptx::effectOf(i) == Effect::none;
}

/// Whether the guard controls an effect other than a register's value.
bool goesByGuard(const ptx::Instruction& i) {
  const Effect effect = ptx::effectOf(i);
  const bool isAccess = ptx::accessesMemory(i) && i.space != ptx::Space::param;
  return isAccess || effect == Effect::branch || effect == Effect::call || effect == Effect::trap ||
         ptx::isExit(i) || ptx::isBlockBarrier(i);
}

/// A mask of the bits that an operation of this type reads; all bits if it has no type.
int64_t maskOf(ptx::Type type) {
  const int64_t bits = bitsInRow(type);
  return bits == 0 || bits >= 64 ? -1 : (int64_t{1} << bits) - 1;
}

Instr withoutSources() {
  Instr instr;
  instr.a = instr.b = instr.c = instr.address = instr.target = instr.memo = kNoRow;
  return instr;
}

/// The register that a shuffle writes, or kNone if the result is discarded.
uint32_t resultOf(const ptx::Instruction& shuffle) {
  const ptx::Operand& to = shuffle.operands.front();
  return to.kind == Kind::pair ? to.elements.front().reg : to.reg;
}

}  // namespace

UnsetWatch::UnsetWatch(const ptx::Function& function, const ptx::ControlFlow& flow)
    : function_(function) {
  if (function.body.empty()) return;
  findRoots(flow);
  findReached();
  // A parameter of one byte may be a structure, because structures are arrays of bytes.
  const auto addScalars = [&](const auto& list) {
    for (const auto& each : list)
      if (each.elements == 1 && ptx::bytesOf(each.type) > 1) scalars_.insert(each.name);
  };
  addScalars(function.variables);
  addScalars(function.results);
}

void UnsetWatch::findRoots(const ptx::ControlFlow& flow) {
  // Companions are initialised at the first instruction, so nothing may branch back to it.
  // Registers that hold parameters get their values from the caller.
  begins_ = function_.body[0].guard.reg == ptx::kNone && flow.blocks[0].predecessors.empty() &&
            std::ranges::none_of(function_.parameters, &ptx::Parameter::isRegister);
  if (!begins_) return;
  for (const uint32_t reg : ptx::numbersOf(ptx::Liveness(function_, flow).readBeforeWritten())) {
    if (function_.registers[reg].type != ptx::Type::pred) roots_.push_back(reg);
  }
}

void UnsetWatch::findReached() {
  const size_t count = function_.registers.size();
  ptx::Graph passing(count);  // By source register: the registers that are unset if the source is.
  std::vector<uint32_t> from = roots_;
  for (const ptx::Instruction& i : function_.body) {
    const std::vector<uint32_t> written = ptx::writtenRegisters(i);
    if (isLoad(i)) from.insert(from.end(), written.begin(), written.end());
    if (i.opcode == Opcode::shfl && i.operands.size() >= 4 && resultOf(i) != ptx::kNone)
      from.push_back(resultOf(i));
    if (!passesOn(i)) continue;
    for (const uint32_t source : ptx::readRegisters(i))
      passing[source].insert(passing[source].end(), written.begin(), written.end());
  }
  const std::vector<bool> reached = ptx::reach(
      count, from, [&](uint32_t reg) -> const auto& { return passing[reg]; });
  for (const uint32_t reg : ptx::numbersOf(reached)) rows_[reg] = kNoRow;
}

void UnsetWatch::begin(Emitter& e) {
  for (auto& [reg, row] : rows_) row = e.newCompanion();
  if (!begins_) return;
  const auto open = [&](uint32_t reg, int64_t isUnset) {
    Instr instr;
    instr.op = unset_ops::open;
    instr.d = rows_.at(reg);
    instr.offset = isUnset;
    e.emitCompanion(instr);
  };
  // Clears the companions of predicates, which are not roots and may hold an earlier call's state.
  for (const auto& [reg, row] : rows_)
    if (function_.registers[reg].type == ptx::Type::pred) open(reg, 0);
  for (const uint32_t reg : roots_) open(reg, 1);
}

uint32_t UnsetWatch::companionOf(const ptx::Operand& operand) const {
  const auto at = operand.kind == Kind::reg ? rows_.find(operand.reg) : rows_.end();
  return at == rows_.end() ? kNoRow : at->second;
}

std::array<uint32_t, 4> UnsetWatch::companionsOf(uint32_t index) const {
  const ptx::Instruction& i = function_.body[index];
  std::array<uint32_t, 4> rows = {kNoRow, kNoRow, kNoRow, kNoRow};
  const size_t data = ptx::effectOf(i) == Effect::store ? 1 : 0;
  if (data >= i.operands.size()) return rows;
  const ptx::Operand& operand = i.operands[data];
  if (operand.kind != Kind::vector) {
    rows[0] = companionOf(operand);
    return rows;
  }
  for (size_t k = 0; k < std::min(rows.size(), operand.elements.size()); ++k)
    rows[k] = companionOf(operand.elements[k]);
  return rows;
}

void UnsetWatch::emitRule(Emitter& e, UnsetRule rule, uint32_t to, Instr instr) {
  const auto at = rows_.find(to);
  if (at == rows_.end()) return;
  rule.resultBits = bitsInRow(function_.registers[to].type);
  instr.op = unset_ops::follow;
  instr.site = e.addRule(rule);
  instr.d = at->second;
  e.emitCompanion(instr);
}

/// mov {a, b}, c.
void UnsetWatch::takeApart(Emitter& e, const ptx::Instruction& i) {
  const auto& parts = i.operands[0].elements;
  const int64_t bits = bitsInRow(i.type) / static_cast<int64_t>(std::max<size_t>(parts.size(), 1));
  for (size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].kind != Kind::reg) continue;
    Instr instr = withoutSources();
    instr.a = companionOf(i.operands[1]);
    instr.target = e.constant(k * static_cast<uint64_t>(bits), Lane::u32);
    instr.memo = e.constant(static_cast<uint64_t>(bits), Lane::u32);
    emitRule(e, unsetPart(), parts[k].reg, instr);
  }
}

/// mov a, {b, c}.
void UnsetWatch::putTogether(Emitter& e, const ptx::Instruction& i) {
  const auto& parts = i.operands[1].elements;
  Instr instr = withoutSources();
  instr.op = unset_ops::join;
  instr.d = companionOf(i.operands[0]);
  instr.offset = bitsInRow(i.type) / static_cast<int64_t>(std::max<size_t>(parts.size(), 1));
  uint32_t* const rows[] = {&instr.a, &instr.b, &instr.c, &instr.address};
  for (size_t k = 0; k < std::min(std::size(rows), parts.size()); ++k)
    *rows[k] = companionOf(parts[k]);
  if (instr.d != kNoRow) e.emitCompanion(instr);
}

/// Updates the companions of the results of an instruction that only computes.
void UnsetWatch::write(Emitter& e, const ptx::Instruction& i) {
  const bool isVector = i.operands.size() > 1 && i.operands[0].kind == Kind::vector;
  if (isVector) return takeApart(e, i);
  if (i.operands.size() > 1 && i.operands[1].kind == Kind::vector) return putTogether(e, i);
  const auto sources = ptx::sourcesOf(i);
  UnsetRule rule;
  rule.result = anyUnset;
  // The addend of a wide product is as wide as the result.
  const ptx::Type type = i.type2 != ptx::Type::none ? i.type2 : i.type;
  rule.bits = i.part == ptx::Part::wide || bitsInRow(type) == 0 ? 64 : bitsInRow(type);
  if (const auto special = chooseUnsetResult(i)) rule = *special;
  Instr instr = withoutSources();
  uint32_t* const companions[] = {&instr.a, &instr.b, &instr.c};
  uint32_t* const values[] = {&instr.address, &instr.target, &instr.memo};
  for (size_t k = 0; k < std::min(std::size(companions), sources.size()); ++k) {
    const ptx::Operand& source = *sources[k];
    *companions[k] = companionOf(source);
    if (!rule.usesValues) continue;
    const bool isPredicate =
        source.kind == Kind::reg && function_.registers[source.reg].type == ptx::Type::pred;
    const bool isWide = e.isWideRegister(source) || (source.kind != Kind::reg && rule.bits == 64);
    *values[k] =
        isPredicate ? e.readPredicate(source) : e.read(source, isWide ? Lane::u64 : Lane::u32);
    instr.elements = static_cast<uint8_t>(instr.elements | (isWide ? 1u << k : 0u));
  }
  for (const uint32_t reg : ptx::writtenRegisters(i)) {
    emitRule(e, rule, reg, instr);
    for (size_t k = std::size(companions); k < sources.size(); ++k)
      spread(e, companionOf(*sources[k]), reg);
  }
}

/// Marks `to` as unset in lanes in which `from` is unset.
void UnsetWatch::spread(Emitter& e, uint32_t from, uint32_t to) {
  const auto at = rows_.find(to);
  if (at == rows_.end() || from == kNoRow) return;
  Instr instr;
  instr.op = unset_ops::spread;
  instr.a = from;
  instr.d = at->second;
  e.emitCompanion(instr);
}

/// Marks the results as unset in lanes in which the guard is unset.
void UnsetWatch::spreadGuard(Emitter& e, uint32_t index) {
  const ptx::Instruction& i = function_.body[index];
  const auto guard = rows_.find(i.guard.reg);
  if (i.guard.reg == ptx::kNone || guard == rows_.end()) return;
  e.begin(index, true);
  for (const uint32_t reg : ptx::writtenRegisters(i)) spread(e, guard->second, reg);
  e.begin(index);
}

void UnsetWatch::select(Emitter& e, const ptx::Instruction& i) {
  Instr instr;
  instr.op = unset_ops::choose;
  instr.d = companionOf(i.operands[0]);
  if (instr.d == kNoRow) return;
  instr.a = companionOf(i.operands[1]);
  instr.b = companionOf(i.operands[2]);
  instr.c = e.readPredicate(i.operands[3]);
  instr.address = companionOf(i.operands[3]);
  e.emitCompanion(instr);
}

void UnsetWatch::shuffle(Emitter& e, const ptx::Instruction& i) {
  const auto to = rows_.find(resultOf(i));
  const Handler operation = shuffleOf(e);
  if (to == rows_.end() || operation == nullptr) return;
  Instr number, hand, take;
  number.op = unset_ops::numberLanes;
  number.d = hand.a = e.temporary();
  hand.op = operation;
  hand.b = e.read(i.operands[2], Lane::u32);
  hand.c = e.read(i.operands[3], Lane::u32);
  hand.d = take.b = e.temporary();
  hand.target = kNoRow;
  take.op = unset_ops::takeFrom;
  take.a = companionOf(i.operands[1]);
  take.d = to->second;
  e.emitOfWarp(number);
  e.emitOfWarp(hand);
  e.emitCompanion(take);
}

void UnsetWatch::followTogether(Emitter& e, uint32_t index) {
  if (function_.body[index].opcode == Opcode::shfl) shuffle(e, function_.body[index]);
}

void UnsetWatch::use(Emitter& e, const ptx::Operand& operand, ptx::Type type, bool inPart) const {
  for (const ptx::Operand& element : operand.elements) use(e, element, type, inPart);
  const auto at = rows_.find(operand.reg);
  if (operand.reg == ptx::kNone || at == rows_.end()) return;
  Instr instr;
  instr.op = inPart ? unset_ops::useInPart : unset_ops::use;
  instr.a = at->second;
  instr.offset = operand.kind == Kind::address ? -1 : maskOf(type);
  e.emitCompanion(instr);
}

void UnsetWatch::useGuard(Emitter& e, uint32_t index) {
  const uint32_t reg = function_.body[index].guard.reg;
  const auto at = rows_.find(reg);
  if (reg == ptx::kNone || at == rows_.end()) return;
  e.begin(index, true);  // Without the guard, which is itself checked.
  Instr instr;
  instr.op = unset_ops::use;
  instr.a = at->second;
  instr.offset = -1;
  e.emitCompanion(instr);
  e.begin(index);
}

/// Whether the instruction stores a scalar parameter of a call or a scalar result. A structure may
/// have unset members and padding.
bool UnsetWatch::passesScalar(const ptx::Instruction& i) const {
  const ptx::Operand* to = ptx::addressOf(i);
  return to != nullptr && scalars_.contains(to->name);
}

/// Emits the checks of sources that are used for more than a register's value.
void UnsetWatch::useSources(Emitter& e, const ptx::Instruction& i) {
  const Effect effect = ptx::effectOf(i);
  if (i.opcode == Opcode::brx) return use(e, i.operands.front(), ptx::Type::none, false);
  if (i.opcode == Opcode::shfl) {
    for (size_t k = 2; k < i.operands.size(); ++k) use(e, i.operands[k], ptx::Type::b32, false);
    return;
  }
  const bool passes = i.space == ptx::Space::param && effect == Effect::store;
  const bool stores = i.opcode == Opcode::st && !passes;  // The stored value is followed, not used.
  // Carries are not followed, so a source that affects a carry counts as used.
  for (const ptx::Operand* operand : ptx::sourcesOf(i))
    if (i.has("cc")) use(e, *operand, i.type, true);
  const bool tells = effect == Effect::lanes || effect == Effect::barrier;
  // A matrix fragment uses its whole register, whatever the type of its elements.
  const bool isVote = i.opcode == Opcode::vote || i.opcode == Opcode::redux;
  const ptx::Type type = effect == Effect::lanes && !isVote ? ptx::Type::none : i.type;
  if (!ptx::accessesMemory(i) && !tells) return;
  for (const ptx::Operand* operand : ptx::sourcesOf(i)) {
    if (stores && operand != ptx::addressOf(i)) continue;
    use(e, *operand, type, passes && !passesScalar(i));
  }
}

void UnsetWatch::follow(Emitter& e, uint32_t index) {
  if (rows_.empty()) return;
  const ptx::Instruction& i = function_.body[index];
  if (index == 0) begin(e);
  if (goesByGuard(i)) useGuard(e, index);
  useSources(e, i);
  if (isLoad(i)) return;  // The check of the load updates the companions.
  if (i.operands.empty()) return;
  if (passesOn(i)) {
    if (i.opcode == Opcode::selp && i.operands.size() == 4)
      select(e, i);
    else
      write(e, i);
    return spreadGuard(e, index);
  }
  if (i.opcode == Opcode::shfl && !ptx::joinsLanes(i)) shuffle(e, i);
  const uint32_t taken = i.opcode == Opcode::shfl ? resultOf(i) : ptx::kNone;
  for (const uint32_t reg : ptx::writtenRegisters(i)) {
    // The result does not come from registers and has a value.
    if (reg != taken) emitRule(e, {anyUnset}, reg, withoutSources());
  }
}

}  // namespace tilestep::simt
