// SPDX-License-Identifier: Apache-2.0
// Decodes sums, quotients, minima, maxima, shifts, bitwise logic and approximations.
#include "simt/decode/decode_arithmetic.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;

bool isPackedInteger(ptx::Type type) {
  return type == ptx::Type::u16x2 || type == ptx::Type::s16x2;
}

/// rcp and rsqrt .approx.ftz.f64 use only the upper half of a double.
Op unaryOf(const ptx::Instruction& in) {
  const bool coarse = in.approx && in.ftz && in.type == ptx::Type::f64;
  if (coarse && in.opcode == Opcode::rcp) return Op::rcpCoarse;
  if (coarse && in.opcode == Opcode::rsqrt) return Op::rsqrtCoarse;
  return operationOf(in.opcode);
}

void unary(Emitter& e) {
  e.allow({});
  const Lane lane = laneOf(e.instruction().type);
  const bool counts =
      e.instruction().opcode == Opcode::popc || e.instruction().opcode == Opcode::clz;
  emitOperation(e, unaryOf(e.instruction()), lane, 1,
                e.write(e.operand(0), counts ? Lane::u32 : lane));
}

/// cnot: d = 1 if a is zero, else 0.
void logicalNot(Emitter& e) {
  e.allow({});
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = e.read(e.operand(1), lane), isZero = e.temporary();
  const uint32_t one = e.constant(1, lane), zero = e.constant(0, lane);
  e.emit(e.engine().compare(Relation::eq, lane), isZero, {.a = a, .b = zero}, false);
  e.emit(Op::select, lane, e.write(e.operand(0), lane), {.a = one, .b = zero, .c = isZero});
}

/// Computes the two 16-bit integers in a word separately, then combines the results.
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
  if (isPackedInteger(e.instruction().type)) return packed(e, operationOf(e.instruction().opcode));
  decodeBinary(e);
}

void quotient(Emitter& e) {
  e.allow({"full"});
  if (!e.instruction().approx) return decodeBinary(e);
  const Lane lane = laneOf(e.instruction().type);
  emitOperation(e, Op::divApprox, lane, 2, e.write(e.operand(0), lane));
}

void plain(Emitter& e) {
  e.allow({});
  decodeBinary(e);
}

Op extremumOf(const ptx::Instruction& in) {
  const bool isMin = in.opcode == Opcode::min;
  if (in.has("NaN")) return isMin ? Op::minNan : Op::maxNan;
  return isMin ? Op::min : Op::max;
}

/// min and max of two or three operands. .xorsign.abs compares magnitudes and gives the result the
/// sign of the product.
void extremum(Emitter& e) {
  e.allow({"NaN", "xorsign", "abs", "relu"});
  const ptx::Instruction& in = e.instruction();
  const Op op = extremumOf(in);
  if (isPackedInteger(in.type)) return packed(e, op);
  const Lane lane = laneOf(in.type);
  const bool xorSign = in.has("xorsign");
  if (in.has("abs") && in.operands.size() == 4)
    e.refuse("three operands with .abs are not supported");
  uint32_t a = readFlushed(e, 1, lane), b = readFlushed(e, 2, lane);
  // Flushing would lose a NaN's sign.
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
  e.emit(operationOf(e.instruction().opcode), Lane::u32, d, {.a = a, .b = b});
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
  e.emit(operationOf(e.instruction().opcode), lane, e.write(e.operand(0), lane), {.a = a, .b = b});
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
    case Opcode::shl:
    case Opcode::shr:
      return shift;
    default:
      return decodeProduct(opcode);
  }
}

}  // namespace tilestep::simt
