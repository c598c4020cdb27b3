// SPDX-License-Identifier: Apache-2.0
// Sums, products, quotients, extrema, signs and the approximations, of every type.
#include <algorithm>
#include <iterator>

#include "simt/emitter.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using ptx::Part;

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

bool isSigned(Lane lane) {
  return lane == Lane::s16 || lane == Lane::s32 || lane == Lane::s64;
}

/// The operation of a root whose instructions are one operation.
struct Simple {
  Opcode opcode;
  Op op;
};
constexpr Simple kSimple[] = {
    {Opcode::add, Op::add},     {Opcode::sub, Op::sub},     {Opcode::mul, Op::mul},
    {Opcode::div, Op::div},     {Opcode::rem, Op::rem},     {Opcode::and_, Op::bitAnd},
    {Opcode::or_, Op::bitOr},   {Opcode::xor_, Op::bitXor}, {Opcode::not_, Op::bitNot},
    {Opcode::shl, Op::shl},     {Opcode::shr, Op::shr},     {Opcode::neg, Op::neg},
    {Opcode::abs, Op::abs},     {Opcode::popc, Op::popc},   {Opcode::clz, Op::clz},
    {Opcode::brev, Op::brev},   {Opcode::rcp, Op::rcp},     {Opcode::sqrt, Op::sqrt},
    {Opcode::rsqrt, Op::rsqrt}, {Opcode::ex2, Op::ex2},     {Opcode::lg2, Op::lg2},
    {Opcode::sin, Op::sin},     {Opcode::cos, Op::cos},     {Opcode::tanh, Op::tanh},
    {Opcode::mad, Op::mad},     {Opcode::fma, Op::fma},     {Opcode::copysign, Op::copysign},
};

Op opOf(Opcode opcode) {
  const auto found = std::find_if(std::begin(kSimple), std::end(kSimple),
                                  [&](const Simple& row) { return row.opcode == opcode; });
  return found == std::end(kSimple) ? Op::none : found->op;
}

Op opOf(const Emitter& e) {
  return opOf(e.instruction().opcode);
}

/// The operation that flushes by itself, where rounding and flushing cannot be told apart.
Op flushingOf(Op op) {
  switch (op) {
    case Op::add:
      return Op::addFtz;
    case Op::sub:
      return Op::subFtz;
    case Op::mul:
      return Op::mulFtz;
    case Op::div:
      return Op::divFtz;
    case Op::rcp:
      return Op::rcpFtz;
    case Op::fma:
      return Op::fmaFtz;
    default:
      return Op::none;
  }
}

/// d = op(operands 1 to `sources`), with rounding, .ftz, .sat and .relu.
void compute(Emitter& e, Op op, Lane lane, size_t sources, uint32_t d) {
  if (e.instruction().type2 != ptx::Type::none)
    return e.refuse("sources of two types are not known");
  const Round round = roundOf(e.instruction());
  const Op flushing = e.instruction().ftz ? flushingOf(op) : Op::none;
  const bool flushes = e.engine().arithmetic(flushing, lane, round) != nullptr;
  uint32_t rows[3] = {};
  for (size_t i = 0; i < sources; ++i) {
    rows[i] = flushes ? e.read(e.operand(i + 1), lane) : readFlushed(e, i + 1, lane);
  }
  e.emit(flushes ? flushing : op, lane, d, {.a = rows[0], .b = rows[1], .c = rows[2]}, round);
  finish(e, lane, d, flushes);
}

bool isPackedInteger(ptx::Type type) {
  return type == ptx::Type::u16x2 || type == ptx::Type::s16x2;
}

/// rcp and rsqrt .approx.ftz.f64 know the upper half of a double alone.
Op unaryOf(const ptx::Instruction& in) {
  const bool coarse = in.approx && in.ftz && in.type == ptx::Type::f64;
  if (coarse && in.opcode == Opcode::rcp) return Op::rcpCoarse;
  if (coarse && in.opcode == Opcode::rsqrt) return Op::rsqrtCoarse;
  return opOf(in.opcode);
}

void unary(Emitter& e) {
  e.allow({});
  const Lane lane = laneOf(e.instruction().type);
  const bool counts =
      e.instruction().opcode == Opcode::popc || e.instruction().opcode == Opcode::clz;
  compute(e, unaryOf(e.instruction()), lane, 1, e.write(e.operand(0), counts ? Lane::u32 : lane));
}

/// Whether a is zero, as 0 or 1.
void logicalNot(Emitter& e) {
  e.allow({});
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = e.read(e.operand(1), lane), isZero = e.temporary();
  const uint32_t one = e.constant(1, lane), zero = e.constant(0, lane);
  e.emit(e.engine().compare(Relation::eq, lane), isZero, {.a = a, .b = zero}, false);
  e.emit(Op::select, lane, e.write(e.operand(0), lane), {.a = one, .b = zero, .c = isZero});
}

/// 32-bit integers that keep to their range: worked out in 64 bits.
void saturateWord(Emitter& e, uint32_t wide) {
  e.emit(e.engine().convert(Lane::s32, Lane::s64, Round::none, true, false),
         e.write(e.operand(0), Lane::s32), {.a = wide}, false);
}

uint32_t widened(Emitter& e, uint32_t row) {
  const uint32_t wide = e.temporary();
  e.convert(wide, Lane::s64, row, Lane::s32);
  return wide;
}

void saturatedSum(Emitter& e) {
  const uint32_t a = widened(e, e.read(e.operand(1), Lane::s32));
  const uint32_t b = widened(e, e.read(e.operand(2), Lane::s32));
  e.emit(opOf(e), Lane::s64, a, {.a = a, .b = b});
  saturateWord(e, a);
}

void binary(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  const Lane lane = laneOf(in.type);
  if (in.sat && lane == Lane::s32) return saturatedSum(e);
  if (in.sat && !isFloat(lane)) e.refuse("integer .sat is known of add and sub alone, as .s32");
  compute(e, opOf(e), lane, 2, e.write(e.operand(0), lane));
}

/// Two 16-bit integers in 32 bits: each half by itself, then together.
void packed(Emitter& e, Op op) {
  const Lane lane = e.instruction().type == ptx::Type::s16x2 ? Lane::s16 : Lane::u16;
  const uint32_t a = e.read(e.operand(1), Lane::u32), b = e.read(e.operand(2), Lane::u32);
  const uint32_t high = e.temporary(), other = e.temporary(), low = e.temporary();
  const uint32_t sixteen = e.constant(16, Lane::u32), zero = e.constant(0, Lane::u32);
  e.emit(Op::shr, Lane::u32, high, {.a = a, .b = sixteen});
  e.emit(Op::shr, Lane::u32, other, {.a = b, .b = sixteen});
  e.emit(op, lane, high, {.a = high, .b = other});
  e.emit(op, lane, low, {.a = a, .b = b});
  if (e.instruction().has("relu")) {
    e.emit(Op::max, lane, high, {.a = high, .b = zero});
    e.emit(Op::max, lane, low, {.a = low, .b = zero});
  }
  e.emit(Op::prmt, Lane::u32, e.write(e.operand(0), Lane::u32),
         {.a = low, .b = high, .c = e.constant(0x5410, Lane::u32)});
}

void sum(Emitter& e) {
  if (e.instruction().has("cc")) return decodeCarry(e.instruction().opcode)(e);
  e.allow({});
  if (isPackedInteger(e.instruction().type)) return packed(e, opOf(e));
  binary(e);
}

void quotient(Emitter& e) {
  e.allow({"full"});
  if (!e.instruction().approx) return binary(e);
  const Lane lane = laneOf(e.instruction().type);
  compute(e, Op::divApprox, lane, 2, e.write(e.operand(0), lane));
}

void plain(Emitter& e) {
  e.allow({});
  binary(e);
}

Op extremumOf(const ptx::Instruction& in) {
  const bool isMin = in.opcode == Opcode::min;
  if (in.has("NaN")) return isMin ? Op::minNan : Op::maxNan;
  return isMin ? Op::min : Op::max;
}

/// min and max of two or three; .xorsign.abs compares magnitudes and gives the product's sign.
void extremum(Emitter& e) {
  e.allow({"NaN", "xorsign", "abs", "relu"});
  const ptx::Instruction& in = e.instruction();
  const Op op = extremumOf(in);
  if (isPackedInteger(in.type)) return packed(e, op);
  const Lane lane = laneOf(in.type);
  const bool xorSign = in.has("xorsign");
  if (in.has("abs") && in.operands.size() == 4) e.refuse("three operands with .abs are not known");
  uint32_t a = readFlushed(e, 1, lane), b = readFlushed(e, 2, lane);
  // Flushing would take a NaN's sign.
  const uint32_t signA = e.read(e.operand(1), lane), signB = e.read(e.operand(2), lane);
  if (xorSign) {
    const uint32_t magnitudes[] = {e.temporary(), e.temporary()};
    e.emit(Op::abs, lane, magnitudes[0], {.a = a});
    e.emit(Op::abs, lane, magnitudes[1], {.a = b});
    a = magnitudes[0];
    b = magnitudes[1];
  }
  const uint32_t third = in.operands.size() == 4 ? readFlushed(e, 3, lane) : kNoRow;
  const uint32_t best = e.temporary(), d = e.write(e.operand(0), lane);
  e.emit(op, lane, best, {.a = a, .b = b});
  if (third != kNoRow) e.emit(op, lane, best, {.a = best, .b = third});
  if (xorSign) e.emit(Op::xorSign, lane, best, {.a = signA, .b = signB, .c = best});
  if (in.has("relu") && !isFloat(lane)) {
    e.emit(Op::max, lane, best, {.a = best, .b = e.constant(0, lane)});
  }
  e.deliver(d, best, isWide(lane));
}

void predicateLogic(Emitter& e) {
  const uint32_t a = e.readPredicate(e.operand(1));
  const uint32_t d = e.write(e.operand(0), Lane::u32);
  if (e.instruction().opcode == Opcode::not_) {
    return e.emit(Op::bitNot, Lane::u32, d, {.a = a});
  }
  const uint32_t b = e.readPredicate(e.operand(2));
  e.emit(opOf(e), Lane::u32, d, {.a = a, .b = b});
}

void logic(Emitter& e) {
  if (e.instruction().type == ptx::Type::pred) return predicateLogic(e);
  if (e.instruction().opcode == Opcode::not_) return unary(e);
  plain(e);
}

void shift(Emitter& e) {
  e.allow({});
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), Lane::u32);
  e.emit(opOf(e), lane, e.write(e.operand(0), lane), {.a = a, .b = b});
}

void multiply(Emitter& e) {
  e.allow({"lo", "hi", "wide"});
  if (e.instruction().part == Part::none || e.instruction().part == Part::lo) return binary(e);
  const Lane lane = laneOf(e.instruction().type);
  const bool wide = e.instruction().part == Part::wide;
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane);
  e.emit(wide ? Op::mulWide : Op::mulHigh, lane, e.write(e.operand(0), wide ? doubled(lane) : lane),
         {.a = a, .b = b});
}

/// d = product + c, in the lane of the sum.
void addProduct(Emitter& e, Lane sum, uint32_t product, uint32_t c) {
  if (!e.instruction().sat) {
    return e.emit(Op::add, sum, e.write(e.operand(0), sum), {.a = product, .b = c});
  }
  if (sum != Lane::s32) return e.refuse("integer .sat is known of .hi.s32 alone");
  const uint32_t wide = widened(e, product), other = widened(e, c);
  e.emit(Op::add, Lane::s64, wide, {.a = wide, .b = other});
  saturateWord(e, wide);
}

/// fma, and mad of floats, which is the same.
void fuse(Emitter& e) {
  e.allow({"relu", "oob"});
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t d = e.write(e.operand(0), lane);
  if (!e.instruction().has("oob")) return compute(e, Op::fma, lane, 3, d);
  const uint32_t result = e.temporary();
  compute(e, Op::fma, lane, 3, result);
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane);
  e.emit(Op::zeroOob, lane, d, {.a = a, .b = b, .c = result});
}

void multiplyAdd(Emitter& e) {
  const Lane lane = laneOf(e.instruction().type);
  if (isFloat(lane)) return fuse(e);
  if (e.instruction().has("cc")) return decodeCarry(e.instruction().opcode)(e);
  e.allow({"lo", "hi", "wide"});
  const bool wide = e.instruction().part == Part::wide;
  const Lane sum = wide ? doubled(lane) : lane;
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane),
                 c = e.read(e.operand(3), sum);
  if (!wide && e.instruction().part != Part::hi) {
    return e.emit(Op::mad, lane, e.write(e.operand(0), lane), {.a = a, .b = b, .c = c});
  }
  const uint32_t product = e.temporary();
  e.emit(wide ? Op::mulWide : Op::mulHigh, lane, product, {.a = a, .b = b});
  addProduct(e, sum, product, c);
}

/// mul24 and mad24: the lowest or highest 32 of a 48-bit product.
void multiply24(Emitter& e) {
  e.allow({"lo", "hi"});
  const Lane lane = laneOf(e.instruction().type), wideLane = doubled(lane);
  const uint32_t zero = e.constant(0, Lane::u32), bits = e.constant(24, Lane::u32);
  const uint32_t a = e.temporary(), b = e.temporary(), product = e.temporary();
  e.emit(Op::bfe, lane, a, {.a = e.read(e.operand(1), lane), .b = zero, .c = bits});
  e.emit(Op::bfe, lane, b, {.a = e.read(e.operand(2), lane), .b = zero, .c = bits});
  e.emit(Op::mulWide, lane, product, {.a = a, .b = b});
  if (e.instruction().part == Part::hi) {
    e.emit(Op::shr, wideLane, product, {.a = product, .b = e.constant(16, Lane::u32)});
  }
  const bool adds = e.instruction().opcode == Opcode::mad24;
  const uint32_t low = adds ? e.temporary() : e.write(e.operand(0), lane);
  e.convert(low, lane, product, wideLane);
  if (adds) addProduct(e, lane, low, e.read(e.operand(3), lane));
}

/// |a - b| + c: for signed types too the difference fits the unsigned type.
void sumOfDifferences(Emitter& e) {
  e.allow({});
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane),
                 c = e.read(e.operand(3), lane);
  const uint32_t more = e.temporary(), less = e.temporary();
  e.emit(Op::max, lane, more, {.a = a, .b = b});
  e.emit(Op::min, lane, less, {.a = a, .b = b});
  e.emit(Op::sub, lane, more, {.a = more, .b = less});
  e.emit(Op::add, lane, e.write(e.operand(0), lane), {.a = more, .b = c});
}

/// Four products of bytes, or two of a half and a byte.
void dotProduct(Emitter& e) {
  e.allow({"lo", "hi"});
  const ptx::Instruction& in = e.instruction();
  int64_t mode = in.opcode == Opcode::dp2a ? kDotPairs : 0;
  if (isSigned(laneOf(in.type))) mode |= kDotSignedA;
  if (isSigned(laneOf(in.type2))) mode |= kDotSignedB;
  if (in.has("hi")) mode |= kDotHigh;
  const uint32_t a = e.read(e.operand(1), Lane::u32), b = e.read(e.operand(2), Lane::u32),
                 c = e.read(e.operand(3), Lane::u32);
  e.emit(Op::dot, Lane::u32, e.write(e.operand(0), Lane::u32),
         {.a = a, .b = b, .c = c, .mode = mode});
}

}  // namespace

DecodeRoot decodeArithmetic(Opcode opcode) {
  switch (opcode) {
    case Opcode::add:
    case Opcode::sub:
      return sum;
    case Opcode::rem:
    case Opcode::copysign:
      return plain;
    case Opcode::div:
      return quotient;
    case Opcode::min:
    case Opcode::max:
      return extremum;
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
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::tanh:
      return unary;
    case Opcode::cnot:
      return logicalNot;
    case Opcode::mul:
      return multiply;
    case Opcode::mad:
      return multiplyAdd;
    case Opcode::fma:
      return fuse;
    case Opcode::mul24:
    case Opcode::mad24:
      return multiply24;
    case Opcode::sad:
      return sumOfDifferences;
    case Opcode::dp4a:
    case Opcode::dp2a:
      return dotProduct;
    case Opcode::shl:
    case Opcode::shr:
      return shift;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
