// SPDX-License-Identifier: Apache-2.0
// Decodes products and sums of products, of every type.
#include "simt/decode/decode_arithmetic.h"

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

void multiply(Emitter& e) {
  e.allow({"lo", "hi", "wide"});
  if (e.instruction().part == Part::none || e.instruction().part == Part::lo)
    return decodeBinary(e);
  const Lane lane = laneOf(e.instruction().type);
  const bool wide = e.instruction().part == Part::wide;
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane);
  e.emit(wide ? Op::mulWide : Op::mulHigh, lane, e.write(e.operand(0), wide ? doubled(lane) : lane),
         {.a = a, .b = b});
}

/// d = product + c, computed with the type `sum`.
void addProduct(Emitter& e, Lane sum, uint32_t product, uint32_t c) {
  if (!e.instruction().sat) {
    return e.emit(Op::add, sum, e.write(e.operand(0), sum), {.a = product, .b = c});
  }
  if (sum != Lane::s32) return e.refuse("integer .sat is supported only for .hi.s32");
  const uint32_t wide = widened(e, product), other = widened(e, c);
  e.emit(Op::add, Lane::s64, wide, {.a = wide, .b = other});
  saturateWord(e, wide);
}

/// fma, and mad of floats, which is equivalent.
void fuse(Emitter& e) {
  e.allow({"relu", "oob"});
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t d = e.write(e.operand(0), lane);
  if (!e.instruction().has("oob")) return emitOperation(e, Op::fma, lane, 3, d);
  const uint32_t result = e.temporary();
  emitOperation(e, Op::fma, lane, 3, result);
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

/// mul24 and mad24, which use the lowest or highest 32 bits of a 48-bit product.
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

/// sad: |a - b| + c. The difference fits the unsigned type even if a and b are signed.
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

/// dp4a (four products of bytes) and dp2a (two products of a 16-bit half and a byte).
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

DecodeRoot decodeProduct(Opcode opcode) {
  switch (opcode) {
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
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
