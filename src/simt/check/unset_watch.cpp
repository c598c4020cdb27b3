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

/// Its results have no value where its sources have none, and it does nothing else.
bool passesOn(const ptx::Instruction& i) {
  return ptx::effectOf(i) == Effect::none || i.opcode == Opcode::shfl;
}

/// What its guard decides shows itself outside of its registers.
bool goesByGuard(const ptx::Instruction& i) {
  const Effect effect = ptx::effectOf(i);
  const bool writes = ptx::accessesMemory(i) && effect != Effect::load;
  return (writes && i.space != ptx::Space::param) || i.opcode == Opcode::bra ||
         i.opcode == Opcode::brx || i.opcode == Opcode::call || ptx::isExit(i) ||
         ptx::isBlockBarrier(i);
}

int64_t bitsOf(ptx::Type type) {
  return type == ptx::Type::pred ? 32 : 8 * static_cast<int64_t>(ptx::bytesOf(type));
}

/// The lowest bits of a register that an operation of this type reads; all where it has none.
int64_t maskOf(ptx::Type type) {
  const int64_t bits = bitsOf(type);
  return bits == 0 || bits >= 64 ? -1 : (int64_t{1} << bits) - 1;
}

bool isInteger(ptx::Type type) {
  return type != ptx::Type::none && type != ptx::Type::pred && !ptx::isFloat(type);
}

bool isImmediate(const ptx::Instruction& i, size_t operand) {
  return operand < i.operands.size() && i.operands[operand].kind == Kind::immediate;
}

/// The register that a shuffle writes; kNone: it is thrown away.
uint32_t resultOf(const ptx::Instruction& shuffle) {
  const ptx::Operand& to = shuffle.operands.front();
  return to.kind == Kind::pair ? to.elements.front().reg : to.reg;
}

/// How the companion of an integer operation follows bit by bit; null: as a whole. Where it takes
/// an offset, `offset` is set to it.
Handler bitwise(const ptx::Instruction& i, int64_t& offset) {
  const bool isSigned = ptx::isSigned(i.type);
  const auto field = [&](size_t at) {
    if (!isImmediate(i, at) || !isImmediate(i, at + 1)) return false;
    offset =
        static_cast<int64_t>((i.operands[at].bits & 0xff) | (i.operands[at + 1].bits & 0xff) << 8);
    return true;
  };
  switch (i.opcode) {
    case Opcode::mov:
    case Opcode::cvta:
    case Opcode::not_:
    case Opcode::xor_:
      return unset_ops::each;
    case Opcode::and_:
      return unset_ops::bothSet;
    case Opcode::or_:
      return unset_ops::eitherSet;
    case Opcode::shl:
    case Opcode::shr:
      offset = bitsOf(i.type);
      return i.opcode == Opcode::shl ? unset_ops::shiftLeft
             : isSigned              ? unset_ops::shiftRightSigned
                                     : unset_ops::shiftRight;
    case Opcode::cvt:
      if (!isInteger(i.type) || !isInteger(i.type2) || i.sat) return nullptr;
      offset = std::min(bitsOf(i.type), bitsOf(i.type2));
      return ptx::isSigned(i.type2) ? unset_ops::extendSigned : unset_ops::extend;
    case Opcode::bfe:
      if (!field(2)) return nullptr;
      return isSigned ? unset_ops::extractSigned : unset_ops::extract;
    case Opcode::bfi:
      return field(3) ? unset_ops::insert : nullptr;
    case Opcode::prmt:
      if (i.suffixes.size() != 1 || !isImmediate(i, 3)) return nullptr;
      offset = static_cast<int64_t>(i.operands[3].bits & 0xffff);
      return unset_ops::permute;
    default:
      return nullptr;
  }
}

}  // namespace

UnsetWatch::UnsetWatch(const ptx::Function& function, const ptx::ControlFlow& flow)
    : function_(function) {
  if (function.body.empty()) return;
  findRoots(flow);
  findReached();
  // A structure is an array of bytes, also where it has only one.
  const auto addScalars = [&](const auto& list) {
    for (const auto& each : list)
      if (each.elements == 1 && ptx::bytesOf(each.type) > 1) scalars_.insert(each.name);
  };
  addScalars(function.variables);
  addScalars(function.results);
}

void UnsetWatch::findRoots(const ptx::ControlFlow& flow) {
  // Their companions begin at the first instruction, so nothing may come back to it, and what
  // stands in registers as a parameter has its value from the caller.
  begins_ = function_.body[0].guard.reg == ptx::kNone && flow.blocks[0].predecessors.empty() &&
            std::ranges::none_of(function_.parameters, &ptx::Parameter::isRegister);
  if (!begins_) return;
  for (const uint32_t reg : ptx::numbersOf(ptx::Liveness(function_, flow).readBeforeWritten())) {
    if (function_.registers[reg].type != ptx::Type::pred) roots_.push_back(reg);
  }
}

void UnsetWatch::findReached() {
  const size_t count = function_.registers.size();
  ptx::Graph passing(count);  // By register: those that have no value where it has none.
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
  // What an earlier call left must not speak for a predicate, which is no root.
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

/// Its results' companions, where it only computes.
void UnsetWatch::write(Emitter& e, const ptx::Instruction& i) {
  Instr instr;
  int64_t offset = 0;
  const ptx::Operand& to = i.operands.front();
  if (to.kind == Kind::vector) {  // mov {a, b}, c: takes it apart.
    for (size_t k = 0; k < to.elements.size(); ++k) {
      const int64_t bits = bitsOf(i.type) / static_cast<int64_t>(to.elements.size());
      instr.op = unset_ops::extract;
      instr.a = companionOf(i.operands[1]);
      instr.d = companionOf(to.elements[k]);
      instr.offset = bits << 8 | static_cast<int64_t>(k) * bits;
      if (instr.d != kNoRow) e.emitCompanion(instr);
    }
    return;
  }
  const auto sources = ptx::sourcesOf(i);
  const auto sourceAt = [&](size_t k) {
    return k < sources.size() ? companionOf(*sources[k]) : kNoRow;
  };
  instr.a = sourceAt(0);
  instr.b = sourceAt(1);
  instr.c = sourceAt(2);
  instr.address = sourceAt(3);
  const bool packs = sources.size() == 1 && sources[0]->kind == Kind::vector;
  if (packs) {
    const auto& parts = sources[0]->elements;
    uint32_t* const rows[] = {&instr.a, &instr.b, &instr.c, &instr.address};
    for (size_t k = 0; k < std::min<size_t>(4, parts.size()); ++k) *rows[k] = companionOf(parts[k]);
    instr.op = unset_ops::join;
    instr.offset = bitsOf(i.type) / static_cast<int64_t>(std::max<size_t>(parts.size(), 1));
  } else if (const Handler op = bitwise(i, offset)) {
    instr.op = op;
    instr.offset = offset;
    writeBits(e, i, instr);
    return;
  } else {
    instr.op = unset_ops::any;
    instr.offset = maskOf(i.type2 != ptx::Type::none ? i.type2 : i.type);
    // What is added to a wide product is as wide as the result.
    if (i.part == ptx::Part::wide) std::swap(instr.c, instr.address);
  }
  for (const uint32_t reg : ptx::writtenRegisters(i)) {
    const auto at = rows_.find(reg);
    if (at == rows_.end()) continue;
    instr.d = at->second;
    e.emitCompanion(instr);
  }
}

/// Adds the values that the bits depend on.
void UnsetWatch::writeBits(Emitter& e, const ptx::Instruction& i, Instr instr) {
  instr.d = companionOf(i.operands.front());
  if (instr.d == kNoRow) return;
  const bool isPredicate = i.type == ptx::Type::pred;
  const bool isWide = bitsOf(i.type) == 64;
  const auto read = [&](size_t k) {
    if (isPredicate) return e.readPredicate(i.operands[k]);
    return e.read(i.operands[k], isWide ? Lane::u64 : Lane::u32);
  };
  if (i.operands.size() > 2 && (i.opcode == Opcode::and_ || i.opcode == Opcode::or_)) {
    instr.c = read(1);
    instr.address = read(2);
    instr.wideResult = isWide;
  } else if (i.operands.size() > 2 && (i.opcode == Opcode::shl || i.opcode == Opcode::shr)) {
    instr.c = e.read(i.operands[2], Lane::u32);
  }
  e.emitCompanion(instr);
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

/// setp.CMP.and p|q, a, b, r.
void UnsetWatch::compare(Emitter& e, const ptx::Instruction& i) {
  Instr instr;
  instr.op = i.boolOp == ptx::BoolOp::bitAnd ? unset_ops::compareAnd : unset_ops::compareOr;
  instr.a = companionOf(i.operands[1]);
  instr.b = companionOf(i.operands[2]);
  instr.c = companionOf(i.operands[3]);
  instr.address = e.readPredicate(i.operands[3]);
  instr.offset = maskOf(i.type);
  for (const uint32_t reg : ptx::writtenRegisters(i)) {
    const auto at = rows_.find(reg);
    if (at == rows_.end()) continue;
    instr.d = at->second;
    e.emitCompanion(instr);
  }
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
  e.begin(index, true);  // The guard is what is looked at.
  Instr instr;
  instr.op = unset_ops::use;
  instr.a = at->second;
  instr.offset = -1;
  e.emitCompanion(instr);
  e.begin(index);
}

/// A store to a parameter of a call, or to a result, that holds one value. A structure may have
/// members without a value, and bytes between them.
bool UnsetWatch::passesScalar(const ptx::Instruction& i) const {
  const ptx::Operand* to = ptx::addressOf(i);
  return to != nullptr && scalars_.contains(to->name);
}

/// What it does outside of its registers with the values that it takes.
void UnsetWatch::useSources(Emitter& e, const ptx::Instruction& i) {
  const Effect effect = ptx::effectOf(i);
  if (i.opcode == Opcode::brx) return use(e, i.operands.front(), ptx::Type::none, false);
  const bool passes = i.space == ptx::Space::param && effect == Effect::store;
  const bool stores = i.opcode == Opcode::st && !passes;  // What it stores is followed.
  const bool tells = (effect == Effect::lanes && i.opcode != Opcode::shfl) ||
                     (effect == Effect::barrier && i.has("red"));
  if (!ptx::accessesMemory(i) && !tells) return;
  for (const ptx::Operand* operand : ptx::sourcesOf(i)) {
    if (stores && operand != ptx::addressOf(i)) continue;
    use(e, *operand, i.type, passes && !passesScalar(i));
  }
}

void UnsetWatch::follow(Emitter& e, uint32_t index) {
  if (rows_.empty()) return;
  const ptx::Instruction& i = function_.body[index];
  if (index == 0) begin(e);
  if (goesByGuard(i)) useGuard(e, index);
  useSources(e, i);
  if (isLoad(i)) return;  // Its check does so.
  if (i.opcode == Opcode::shfl) return ptx::joinsLanes(i) ? void() : shuffle(e, i);
  if (i.operands.empty()) return;
  if (i.opcode == Opcode::selp && i.operands.size() == 4) return select(e, i);
  const bool combines = i.opcode == Opcode::setp && i.operands.size() == 4;
  if (combines && (i.boolOp == ptx::BoolOp::bitAnd || i.boolOp == ptx::BoolOp::bitOr))
    return compare(e, i);
  if (passesOn(i)) return write(e, i);
  for (const uint32_t reg : ptx::writtenRegisters(i)) {
    const auto at = rows_.find(reg);
    if (at == rows_.end()) continue;
    Instr instr;  // From elsewhere, with a value.
    instr.op = unset_ops::each;
    instr.a = instr.b = kNoRow;
    instr.d = at->second;
    e.emitCompanion(instr);
  }
}

}  // namespace tilestep::simt
