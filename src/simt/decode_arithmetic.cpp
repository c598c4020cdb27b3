// SPDX-License-Identifier: Apache-2.0
// Arithmetic, bits, comparisons and selections.
#include "simt/emitter.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;

bool isFloat(Lane lane) {
  return lane == Lane::f32 || lane == Lane::f64;
}

Round roundOf(const Emitter& e) {
  using enum ptx::Rounding;
  switch (e.instruction().rounding) {
    case rz:
      return Round::zero;
    case rm:
      return Round::down;
    case rp:
      return Round::up;
    default:
      return Round::nearest;
  }
}

Op opOf(Opcode opcode) {
  switch (opcode) {
    case Opcode::add:
      return Op::add;
    case Opcode::sub:
      return Op::sub;
    case Opcode::mul:
      return Op::mul;
    case Opcode::div:
      return Op::div;
    case Opcode::rem:
      return Op::rem;
    case Opcode::min:
      return Op::min;
    case Opcode::max:
      return Op::max;
    case Opcode::and_:
      return Op::bitAnd;
    case Opcode::or_:
      return Op::bitOr;
    case Opcode::xor_:
      return Op::bitXor;
    case Opcode::copysign:
      return Op::copysign;
    case Opcode::neg:
      return Op::neg;
    case Opcode::abs:
      return Op::abs;
    case Opcode::not_:
      return Op::bitNot;
    case Opcode::popc:
      return Op::popc;
    case Opcode::clz:
      return Op::clz;
    case Opcode::brev:
      return Op::brev;
    case Opcode::rcp:
      return Op::rcp;
    case Opcode::sqrt:
      return Op::sqrt;
    case Opcode::rsqrt:
      return Op::rsqrt;
    case Opcode::ex2:
      return Op::ex2;
    case Opcode::lg2:
      return Op::lg2;
    case Opcode::sin:
      return Op::sin;
    case Opcode::cos:
      return Op::cos;
    case Opcode::tanh:
      return Op::tanh;
    case Opcode::mad:
      return Op::mad;
    case Opcode::fma:
      return Op::fma;
    case Opcode::bfe:
      return Op::bfe;
    default:
      return Op::none;
  }
}

/// .ftz makes subnormal sources zero before the operation.
uint32_t source(Emitter& e, size_t operand, Lane lane) {
  const uint32_t row = e.read(e.operand(operand), lane);
  if (!e.instruction().ftz || lane != Lane::f32) return row;
  const uint32_t flushed = e.temporary();
  e.emit(Op::flush, lane, flushed, {.a = row});
  return flushed;
}

/// .ftz and .sat after it.
void finish(Emitter& e, Lane lane, uint32_t d) {
  if (!isFloat(lane)) return;
  if (e.instruction().ftz && lane == Lane::f32) e.emit(Op::flush, lane, d, {.a = d});
  if (e.instruction().sat) e.emit(Op::saturate, lane, d, {.a = d});
}

void refuseIntegerSaturation(Emitter& e, Lane lane) {
  if (e.instruction().sat && !isFloat(lane)) e.refuse("integer .sat is not known");
  for (const char* suffix : {"cc", "relu", "xorsign"}) {
    if (e.instruction().has(suffix)) e.refuse(std::string(".") + suffix + " is not known");
  }
}

void unary(Emitter& e) {
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = source(e, 1, lane);
  const bool counts =
      e.instruction().opcode == Opcode::popc || e.instruction().opcode == Opcode::clz;
  const uint32_t d = e.write(e.operand(0), counts ? Lane::u32 : lane);
  e.emit(opOf(e.instruction().opcode), lane, d, {.a = a}, roundOf(e));
  finish(e, lane, d);
}

/// The reciprocals and roots: a directed rounding of them is not known.
void reciprocal(Emitter& e) {
  if (roundOf(e) != Round::nearest) e.refuse("this rounding of it is not known");
  unary(e);
}

void predicateLogic(Emitter& e) {
  const uint32_t a = e.readPredicate(e.operand(1));
  const uint32_t d = e.write(e.operand(0), Lane::u32);
  if (e.instruction().opcode == Opcode::not_) {
    return e.emit(Op::bitNot, Lane::u32, d, {.a = a});
  }
  const uint32_t b = e.readPredicate(e.operand(2));
  e.emit(opOf(e.instruction().opcode), Lane::u32, d, {.a = a, .b = b});
}

void binary(Emitter& e) {
  const Lane lane = laneOf(e.instruction().type);
  refuseIntegerSaturation(e, lane);
  const uint32_t a = source(e, 1, lane), b = source(e, 2, lane);
  const uint32_t d = e.write(e.operand(0), lane);
  e.emit(opOf(e.instruction().opcode), lane, d, {.a = a, .b = b}, roundOf(e));
  finish(e, lane, d);
}

void logic(Emitter& e) {
  if (e.instruction().type == ptx::Type::pred) return predicateLogic(e);
  if (e.instruction().opcode == Opcode::not_) return unary(e);
  binary(e);
}

void shift(Emitter& e) {
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), Lane::u32);
  e.emit(e.instruction().opcode == Opcode::shl ? Op::shl : Op::shr, lane,
         e.write(e.operand(0), lane), {.a = a, .b = b});
}

Lane doubled(Lane lane) {
  switch (lane) {
    case Lane::u16:
      return Lane::u32;
    case Lane::s16:
      return Lane::s32;
    case Lane::u32:
      return Lane::u64;
    case Lane::s32:
      return Lane::s64;
    default:
      return Lane::none;
  }
}

void multiply(Emitter& e) {
  if (e.instruction().part == ptx::Part::none || e.instruction().part == ptx::Part::lo) {
    return binary(e);
  }
  const Lane lane = laneOf(e.instruction().type);
  const bool wide = e.instruction().part == ptx::Part::wide;
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane);
  e.emit(wide ? Op::mulWide : Op::mulHigh, lane, e.write(e.operand(0), wide ? doubled(lane) : lane),
         {.a = a, .b = b});
}

void multiplyAdd(Emitter& e) {
  const Lane lane = laneOf(e.instruction().type);
  refuseIntegerSaturation(e, lane);
  const bool wide = e.instruction().part == ptx::Part::wide;
  const Lane sum = wide ? doubled(lane) : lane;
  const uint32_t a = source(e, 1, lane), b = source(e, 2, lane), c = source(e, 3, sum);
  const uint32_t d = e.write(e.operand(0), sum);
  if (!wide && e.instruction().part != ptx::Part::hi) {
    e.emit(opOf(e.instruction().opcode), lane, d, {.a = a, .b = b, .c = c}, roundOf(e));
    return finish(e, lane, d);
  }
  const uint32_t product = e.temporary();
  e.emit(wide ? Op::mulWide : Op::mulHigh, lane, product, {.a = a, .b = b});
  e.emit(Op::add, sum, d, {.a = product, .b = c});
}

void divide(Emitter& e) {
  if (roundOf(e) != Round::nearest) e.refuse("this rounding of it is not known");
  binary(e);
}

Relation relationOf(ptx::Compare compare, bool real) {
  using enum ptx::Compare;
  switch (compare) {
    case ne:
      return Relation::ne;
    case lt:
    case lo:
      return Relation::lt;
    case le:
    case ls:
      return Relation::le;
    case gt:
    case hi:
      return Relation::gt;
    case ge:
    case hs:
      return Relation::ge;
    case equ:
      return Relation::equ;
    case neu:
      return Relation::neu;
    case ltu:
      return Relation::ltu;
    case leu:
      return Relation::leu;
    case gtu:
      return Relation::gtu;
    case geu:
      return Relation::geu;
    case num:
      return real ? Relation::num : Relation::eq;
    case nan:
      return real ? Relation::nan : Relation::ne;
    default:
      return Relation::eq;
  }
}

Op boolOpOf(ptx::BoolOp op) {
  return op == ptx::BoolOp::bitAnd ? Op::bitAnd : op == ptx::BoolOp::bitOr ? Op::bitOr : Op::bitXor;
}

/// setp.cmp[.bool].type p[|q], a, b[, {!}c]: p = cmp(a, b) bool c, q = !cmp(a, b) bool c.
void setPredicate(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  const Lane lane = laneOf(in.type);
  const uint32_t a = source(e, 1, lane), b = source(e, 2, lane);
  const bool combines = in.boolOp != ptx::BoolOp::none;
  const uint32_t c = combines ? e.readPredicate(e.operand(3)) : 0;
  const bool pair = e.operand(0).kind == ptx::Operand::Kind::pair;
  const ptx::Operand& first = pair ? e.operand(0).elements[0] : e.operand(0);
  const Handler test = e.engine().compare(relationOf(in.compare, isFloat(lane)), lane);
  if (!pair && !combines) return e.emit(test, e.write(first, Lane::u32), {.a = a, .b = b}, false);

  const uint32_t yes = e.temporary(), no = e.temporary();
  e.emit(test, yes, {.a = a, .b = b}, false);
  if (pair) e.emit(Op::bitNot, Lane::u32, no, {.a = yes});
  const auto set = [&](const ptx::Operand& to, uint32_t value) {
    const uint32_t d = e.write(to, Lane::u32);
    if (combines)
      e.emit(boolOpOf(in.boolOp), Lane::u32, d, {.a = value, .b = c});
    else
      e.copy(d, value, false);
  };
  // The guard's own register is written last: it decides about both.
  const bool guardFirst =
      pair && first.kind == ptx::Operand::Kind::reg && first.reg == in.guard.reg;
  if (combines && pair) {
    const uint32_t kept = e.temporary();
    e.copy(kept, c, false);
    e.emit(boolOpOf(in.boolOp), Lane::u32, yes, {.a = yes, .b = kept});
    e.emit(boolOpOf(in.boolOp), Lane::u32, no, {.a = no, .b = kept});
    const uint32_t p = e.write(first, Lane::u32), q = e.write(e.operand(0).elements[1], Lane::u32);
    e.copy(guardFirst ? q : p, guardFirst ? no : yes, false);
    return e.copy(guardFirst ? p : q, guardFirst ? yes : no, false);
  }
  if (pair && guardFirst) set(e.operand(0).elements[1], no);
  set(first, yes);
  if (pair && !guardFirst) set(e.operand(0).elements[1], no);
}

void selectOne(Emitter& e) {
  const Lane lane = bitsLike(laneOf(e.instruction().type));
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane);
  const uint32_t p = e.readPredicate(e.operand(3));
  e.emit(Op::select, lane, e.write(e.operand(0), lane), {.a = a, .b = b, .c = p});
}

void bitField(Emitter& e) {
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = e.read(e.operand(1), lane);
  if (e.instruction().opcode == Opcode::bfe) {
    const uint32_t b = e.read(e.operand(2), Lane::u32), c = e.read(e.operand(3), Lane::u32);
    return e.emit(Op::bfe, lane, e.write(e.operand(0), lane), {.a = a, .b = b, .c = c});
  }
  const uint32_t b = e.read(e.operand(2), lane);
  const uint32_t c = e.read(e.operand(3), Lane::u32), length = e.read(e.operand(4), Lane::u32);
  e.emit(Op::bfi, lane, e.write(e.operand(0), lane), {.a = a, .b = b, .c = c, .fourth = length});
}

void findHighest(Emitter& e) {
  const Lane lane = laneOf(e.instruction().type);
  if (e.instruction().has("shiftamt")) e.refuse(".shiftamt is not known");
  e.emit(Op::bfind, lane, e.write(e.operand(0), Lane::u32), {.a = e.read(e.operand(1), lane)});
}

void permute(Emitter& e) {
  if (e.instruction().suffixes.size() != 1) e.refuse("this mode of it is not known");
  const uint32_t a = e.read(e.operand(1), Lane::u32), b = e.read(e.operand(2), Lane::u32);
  const uint32_t c = e.read(e.operand(3), Lane::u32);
  e.emit(Op::prmt, Lane::u32, e.write(e.operand(0), Lane::u32), {.a = a, .b = b, .c = c});
}

}  // namespace

DecodeRoot decodeArithmetic(Opcode opcode) {
  switch (opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::rem:
    case Opcode::min:
    case Opcode::max:
    case Opcode::copysign:
      return binary;
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
      return logic;
    case Opcode::neg:
    case Opcode::abs:
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::brev:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::tanh:
      return unary;
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
      return reciprocal;
    case Opcode::mul:
      return multiply;
    case Opcode::mad:
    case Opcode::fma:
      return multiplyAdd;
    case Opcode::div:
      return divide;
    case Opcode::shl:
    case Opcode::shr:
      return shift;
    case Opcode::setp:
      return setPredicate;
    case Opcode::selp:
      return selectOne;
    case Opcode::bfe:
    case Opcode::bfi:
      return bitField;
    case Opcode::bfind:
      return findHighest;
    case Opcode::prmt:
      return permute;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
