// SPDX-License-Identifier: Apache-2.0
#include "simt/decode/emitter.h"

#include <algorithm>
#include <bit>

#include "ptx/names.h"
#include "simt/run/special_rows.h"

namespace tilestep::simt {
namespace {

using Kind = ptx::Operand::Kind;

bool isWideType(ptx::Type type) {
  return ptx::bytesOf(type) == 8;
}

uint64_t truncated(uint64_t bits, Lane lane) {
  const unsigned bytes = bytesOf(lane);
  return bytes >= 8 ? bits : bits & ((uint64_t{1} << (8 * bytes)) - 1);
}

}  // namespace

Lane laneOf(ptx::Type type) {
  using enum ptx::Type;
  switch (type) {
    case b8:
    case u8:
      return Lane::u8;
    case s8:
      return Lane::s8;
    case b16:
    case u16:
      return Lane::u16;
    case s16:
      return Lane::s16;
    case b32:
    case u32:
    case pred:
      return Lane::u32;
    case s32:
      return Lane::s32;
    case b64:
    case u64:
      return Lane::u64;
    case s64:
      return Lane::s64;
    case f32:
      return Lane::f32;
    case f64:
      return Lane::f64;
    case f16:
      return Lane::f16;
    case bf16:
      return Lane::bf16;
    case f16x2:
      return Lane::f16x2;
    case bf16x2:
      return Lane::bf16x2;
    default:
      return Lane::none;
  }
}

unsigned bytesOf(Lane lane) {
  switch (lane) {
    case Lane::none:
      return 0;
    case Lane::u8:
    case Lane::s8:
      return 1;
    case Lane::u16:
    case Lane::s16:
    case Lane::f16:
    case Lane::bf16:
      return 2;
    case Lane::u32:
    case Lane::s32:
    case Lane::f32:
    case Lane::tf32:
    case Lane::f16x2:
    case Lane::bf16x2:
      return 4;
    case Lane::u64:
    case Lane::s64:
    case Lane::f64:
      return 8;
  }
  return 0;
}

bool isWide(Lane lane) {
  return bytesOf(lane) == 8;
}

Lane bitsLike(Lane lane) {
  switch (bytesOf(lane)) {
    case 1:
      return Lane::u8;
    case 2:
      return Lane::u16;
    case 4:
      return Lane::u32;
    case 8:
      return Lane::u64;
    default:
      return Lane::none;
  }
}

bool isPair(Lane lane) {
  return lane == Lane::f16x2 || lane == Lane::bf16x2;
}

bool isFloat(Lane lane) {
  return lane == Lane::f32 || lane == Lane::f64 || lane == Lane::f16 || lane == Lane::bf16 ||
         isPair(lane);
}

Lane halfOf(Lane pair) {
  return pair == Lane::f16x2 ? Lane::f16 : Lane::bf16;
}

Emitter::Emitter(Program& program, const Symbols& symbols, const Engine& engine)
    : program_(program), symbols_(symbols), engine_(engine), file_(program) {}

void Emitter::enter(const FunctionRows& rows) {
  rows_ = &rows;
}

void Emitter::begin(uint32_t index, bool bare) {
  index_ = index;
  bare_ = bare;
  instruction_ = &rows_->function->body[index];
  temporaries_ = 0;
  refusal_.reset();
}

const Cells* Emitter::cells(const std::string& name) const {
  const auto found = rows_->cells.find(name);
  return found == rows_->cells.end() ? nullptr : &found->second;
}

uint32_t Emitter::addressOfCall(uint64_t offset) {
  const uint32_t row = temporary();
  emit(Op::add, Lane::u64, row, {.a = rows_->localRow, .b = constant(offset, Lane::u64)});
  return row;
}

const ptx::Operand& Emitter::operand(size_t index) const {
  static const ptx::Operand kMissing;
  return index < instruction_->operands.size() ? instruction_->operands[index] : kMissing;
}

void Emitter::refuse(std::string why) {
  if (!refusal_) refusal_ = std::move(why);
}

void Emitter::allow(std::initializer_list<std::string_view> words) {
  for (const std::string& suffix : instruction_->suffixes) {
    const bool decoded = ptx::typeOf(suffix) || ptx::roundingOf(suffix) || suffix == "ftz" ||
                         suffix == "sat" || suffix == "approx";
    if (decoded || std::find(words.begin(), words.end(), suffix) != words.end()) continue;
    refuse("." + suffix + " is not supported here");
  }
}

bool Emitter::isWideRegister(const ptx::Operand& operand) const {
  return operand.kind == Kind::reg && isWideType(rows_->function->registers[operand.reg].type);
}

uint32_t Emitter::immediate(const ptx::Operand& operand, Lane lane) {
  uint64_t bits = operand.bits;
  if (lane == Lane::f32 && operand.immediateType == ptx::Type::f64) {
    bits = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  } else if (lane == Lane::f64 && operand.immediateType == ptx::Type::f32) {
    const auto narrow = std::bit_cast<float>(static_cast<uint32_t>(bits));
    bits = std::bit_cast<uint64_t>(static_cast<double>(narrow));
  }
  return constant(truncated(bits, lane), lane);
}

uint32_t Emitter::symbol(const ptx::Operand& operand, Lane lane) {
  const auto offset = static_cast<uint64_t>(operand.offset);
  if (const uint32_t callee = symbols_.calls.find(operand.name); callee != CallGraph::kNone) {
    return constant(codeAddress(symbols_.calls.nodes[callee].number), Lane::u64);
  }
  const Symbols::Place* place = find(operand.name);
  if (place == nullptr) {
    refuse("the address of " + operand.name + " is not supported here");
    return 0;
  }
  if (place->ofCall) {
    if (!isWide(lane)) refuse("its address takes 64 bits");
    return addressOfCall(place->address + offset);
  }
  return constant(truncated(place->address + offset, lane), lane);
}

/// Reads the clock when the instruction runs. All other special registers are constant.
uint32_t Emitter::clock(ptx::SpecialRegister name) {
  using enum ptx::SpecialRegister;
  const bool high = name == clockHi || name == globaltimerHi;
  Instr instr;
  instr.op = engine_.warp(high ? WarpOp::clockHigh : WarpOp::clock, isWideSpecial(name));
  instr.d = temporary();
  instr.offset = index_ - blockStart_;
  emitOfWarp(instr);
  return instr.d;
}

uint32_t Emitter::special(ptx::SpecialRegister name, Lane lane) {
  if (!isClock(name) && !isKnown(name)) {
    refuse(std::string(ptx::toText(name)) + " is not supported");
    return 0;
  }
  const uint32_t row = isClock(name) ? clock(name) : file_.special(name);
  const bool wide = isClock(name) && isWideSpecial(name);
  if (wide == isWide(lane)) return row;
  const uint32_t converted = temporary();
  convert(converted, wide ? Lane::u32 : Lane::u64, row, wide ? Lane::u64 : Lane::u32);
  return converted;
}

uint32_t Emitter::read(const ptx::Operand& operand, Lane lane) {
  switch (operand.kind) {
    case Kind::reg:
      break;
    case Kind::immediate:
      return immediate(operand, lane);
    case Kind::symbol:
      return symbol(operand, lane);
    case Kind::special:
      return special(operand.special, lane);
    default:
      refuse("an operand of this form is not supported");
      return 0;
  }
  const uint32_t row = rowOf(operand.reg);
  if (isWideRegister(operand) == isWide(lane)) return row;
  if (isWide(lane)) {
    refuse("it reads 64 bits of " + rows_->function->registers[operand.reg].name);
    return 0;
  }
  const uint32_t narrow = temporary();
  convert(narrow, Lane::u32, row, Lane::u64);
  return narrow;
}

uint32_t Emitter::readPredicate(const ptx::Operand& operand) {
  if (operand.kind == Kind::immediate) {
    return constant((operand.bits != 0) != operand.negated ? 0xffffffffu : 0, Lane::u32);
  }
  const uint32_t row = read(operand, Lane::u32);
  if (!operand.negated) return row;
  const uint32_t inverse = temporary();
  emit(Op::bitNot, Lane::u32, inverse, {.a = row});
  return inverse;
}

uint32_t Emitter::write(const ptx::Operand& operand, Lane lane) {
  if (operand.kind == Kind::sink) return temporary();
  if (operand.kind != Kind::reg) {
    refuse("a destination of this form is not supported");
    return 0;
  }
  if (isWideRegister(operand) != isWide(lane)) {
    refuse("its type does not fit " + rows_->function->registers[operand.reg].name);
  }
  return rowOf(operand.reg);
}

void Emitter::push(Instr instr) {
  instr.source = rows_->first + index_;
  if (instruction_->guard.reg != ptx::kNone && !bare_) {
    instr.guard = rowOf(instruction_->guard.reg);
    instr.guardNegated = instruction_->guard.negated;
  }
  code_.push_back(instr);
}

void Emitter::emit(Handler op, uint32_t d, Sources sources, bool wideResult) {
  if (op == nullptr) return refuse("this form of it is not supported");
  if (temporaries_ > RowFile::kTemporaries) return refuse("it needs too many steps");
  Instr instr;
  instr.op = op;
  instr.d = instr.target = d;
  instr.a = sources.a;
  instr.b = sources.b;
  instr.c = sources.c;
  instr.address = sources.fourth;
  instr.offset = sources.mode;
  instr.wideResult = wideResult;
  push(instr);
}

void Emitter::emit(Op op, Lane lane, uint32_t d, Sources sources, Round round) {
  const bool narrowResult = op == Op::popc || op == Op::clz || op == Op::bfind || op == Op::testp;
  const bool wide = op == Op::mulWide ? bytesOf(lane) == 4 : isWide(lane) && !narrowResult;
  emit(engine_.arithmetic(op, lane, round), d, sources, wide);
}

void Emitter::emitMemory(Instr instr) {
  if (instr.op == nullptr) return refuse("this form of it is not supported");
  instr.memo = instr.site = program_.memos++;
  push(instr);
}

void Emitter::emitOfWarp(Instr instr) {
  if (instr.op == nullptr) return refuse("this form of it is not supported");
  instr.masksItself = true;
  push(instr);
}

uint32_t Emitter::addRule(const UnsetRule& rule) {
  program_.unsetRules.push_back(rule);
  return static_cast<uint32_t>(program_.unsetRules.size() - 1);
}

void Emitter::emitCompanion(Instr instr) {
  instr.isCompanion = true;
  emitOfWarp(instr);
}

uint32_t Emitter::newCompanion() {
  const uint32_t row = file_.add(true);  // The masks,
  file_.add(false);                      // followed by the origins.
  program_.companions.push_back(row);
  return row;
}

void Emitter::copy(uint32_t d, uint32_t from, bool wide) {
  emit(Op::mov, wide ? Lane::u64 : Lane::u32, d, {.a = from});
}

void Emitter::deliver(uint32_t d, uint32_t temporary, bool wide) {
  const bool isTemporary = temporary < RowFile::temporary(RowFile::kTemporaries);
  const bool isLast = !code_.empty() && code_.back().source == index_ && code_.back().bytes == 0 &&
                      !code_.back().masksItself && code_.back().d == temporary;
  if (!isTemporary || !isLast) return copy(d, temporary, wide);
  code_.back().d = code_.back().target = d;
}

uint32_t readFlushed(Emitter& e, size_t operand, Lane lane) {
  const uint32_t row = e.read(e.operand(operand), lane);
  if (!e.instruction().ftz || !isFloat(lane) || isWide(lane)) return row;
  const uint32_t flushed = e.temporary();
  e.emit(Op::flush, lane, flushed, {.a = row});
  return flushed;
}

void finish(Emitter& e, Lane lane, uint32_t d, bool isFlushed) {
  if (!isFloat(lane)) return;
  if (e.instruction().ftz && !isWide(lane) && !isFlushed) e.emit(Op::flush, lane, d, {.a = d});
  if (e.instruction().sat) e.emit(Op::saturate, lane, d, {.a = d});
  if (e.instruction().has("relu")) e.emit(Op::relu, lane, d, {.a = d});
}

std::vector<ptx::Operand> elementsOf(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::vector) return operand.elements;
  return {operand};
}

Round roundOf(const ptx::Instruction& instruction) {
  using enum ptx::Rounding;
  switch (instruction.rounding) {
    case rz:
    case rzi:
      return Round::zero;
    case rm:
    case rmi:
      return Round::down;
    case rp:
    case rpi:
      return Round::up;
    case rna:
      return Round::away;
    default:
      return Round::nearest;
  }
}

void Emitter::convert(uint32_t d, Lane to, uint32_t from, Lane fromLane) {
  emit(engine_.convert(to, fromLane, Round::none, false, false), d, {.a = from}, isWide(to));
}

}  // namespace tilestep::simt
