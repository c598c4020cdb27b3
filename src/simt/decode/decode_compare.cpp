// SPDX-License-Identifier: Apache-2.0
// Decodes comparisons and selections: setp, set, selp, slct and testp.
#include <algorithm>
#include <iterator>

#include "simt/decode/emitter.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

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

/// Allows the suffixes of setp and set, which the parser has already interpreted.
void allowComparison(Emitter& e) {
  e.allow({"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi", "hs", "equ",
           "neu", "ltu", "leu", "gtu", "geu", "num", "nan", "and", "or", "xor"});
}

/// Half types are compared as f32, which represents them exactly.
uint32_t widenedHalf(Emitter& e, Lane half, uint32_t row) {
  const uint32_t wide = e.temporary();
  e.convert(wide, Lane::f32, row, half);
  return wide;
}

uint32_t upperHalf(Emitter& e, uint32_t row) {
  const uint32_t upper = e.temporary();
  e.emit(Op::shr, Lane::u32, upper, {.a = row, .b = e.constant(16, Lane::u32)});
  return upper;
}

/// A row with the result of the comparison in each lane, all ones or all zeros.
uint32_t test(Emitter& e, Lane lane, uint32_t a, uint32_t b) {
  const bool half = lane == Lane::f16 || lane == Lane::bf16;
  if (half) {
    a = widenedHalf(e, lane, a);
    b = widenedHalf(e, lane, b);
  }
  const Relation relation = relationOf(e.instruction().compare, isFloat(lane));
  const uint32_t result = e.temporary();
  e.emit(e.engine().compare(relation, half ? Lane::f32 : lane), result, {.a = a, .b = b}, false);
  return result;
}

void combine(Emitter& e, uint32_t result) {
  if (e.instruction().boolOp == ptx::BoolOp::none) return;
  const uint32_t c = e.readPredicate(e.operand(3));
  e.emit(boolOpOf(e.instruction().boolOp), Lane::u32, result, {.a = result, .b = c});
}

/// Writes p and q; the guard's own register comes last, because it controls both writes.
void writePair(Emitter& e, uint32_t p, uint32_t q) {
  const auto& to = e.operand(0).elements;
  const bool guardFirst = to[0].kind == Kind::reg && to[0].reg == e.instruction().guard.reg;
  const uint32_t dp = e.write(to[0], Lane::u32), dq = e.write(to[1], Lane::u32);
  e.copy(guardFirst ? dq : dp, guardFirst ? q : p, false);
  e.copy(guardFirst ? dp : dq, guardFirst ? p : q, false);
}

/// setp.cmp[.bool].type p[|q], a, b[, {!}c]: p = cmp(a, b) bool c, q = !cmp(a, b) bool c. For
/// packed halves, p and q are the results of the lower and the upper halves.
void setPredicate(Emitter& e) {
  allowComparison(e);
  const ptx::Instruction& in = e.instruction();
  const Lane lane = laneOf(in.type);
  const uint32_t a = readFlushed(e, 1, lane), b = readFlushed(e, 2, lane);
  const bool two = e.operand(0).kind == Kind::pair;
  if (!two && in.boolOp == ptx::BoolOp::none && lane != Lane::f16 && lane != Lane::bf16) {
    const Handler compare = e.engine().compare(relationOf(in.compare, isFloat(lane)), lane);
    return e.emit(compare, e.write(e.operand(0), Lane::u32), {.a = a, .b = b}, false);
  }
  if (isPair(lane) && !two) return e.refuse("a pair of halves must be compared into p|q");
  const uint32_t p = test(e, isPair(lane) ? halfOf(lane) : lane, a, b);
  uint32_t q = kNoRow;
  if (isPair(lane)) {
    q = test(e, halfOf(lane), upperHalf(e, a), upperHalf(e, b));
  } else if (two) {
    q = e.temporary();
    e.emit(Op::bitNot, Lane::u32, q, {.a = p});
  }
  combine(e, p);
  if (!two) return e.deliver(e.write(e.operand(0), Lane::u32), p, false);
  combine(e, q);
  writePair(e, p, q);
}

/// The value that `set` writes for true.
uint64_t truthOf(Lane lane) {
  switch (lane) {
    case Lane::f32:
      return 0x3f800000;
    case Lane::f16:
      return 0x3c00;
    case Lane::bf16:
      return 0x3f80;
    case Lane::f16x2:
      return 0x3c003c00;
    case Lane::bf16x2:
      return 0x3f803f80;
    default:
      return 0xffffffff;
  }
}

/// set.cmp[.bool].dtype.type d, a, b[, {!}c].
void setValue(Emitter& e) {
  allowComparison(e);
  const ptx::Instruction& in = e.instruction();
  const Lane to = laneOf(in.type), lane = laneOf(in.type2);
  if (to == Lane::none || lane == Lane::none || isWide(to)) {
    return e.refuse("its types are not supported");
  }
  const uint32_t a = readFlushed(e, 1, lane), b = readFlushed(e, 2, lane);
  uint32_t result = test(e, isPair(lane) ? halfOf(lane) : lane, a, b);
  combine(e, result);
  if (isPair(lane)) {
    const uint32_t upper = test(e, halfOf(lane), upperHalf(e, a), upperHalf(e, b));
    combine(e, upper);
    e.emit(Op::prmt, Lane::u32, result,
           {.a = result, .b = upper, .c = e.constant(0x5410, Lane::u32)});
  }
  e.emit(Op::bitAnd, Lane::u32, e.write(e.operand(0), to),
         {.a = result, .b = e.constant(truthOf(to), Lane::u32)});
}

void selectOne(Emitter& e) {
  e.allow({});
  const Lane lane = bitsLike(laneOf(e.instruction().type));
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane);
  const uint32_t p = e.readPredicate(e.operand(3));
  e.emit(Op::select, lane, e.write(e.operand(0), lane), {.a = a, .b = b, .c = p});
}

/// slct: d = a if c >= 0, else b. If c is a NaN, d = b.
void selectBySign(Emitter& e) {
  e.allow({});
  const ptx::Instruction& in = e.instruction();
  const Lane lane = bitsLike(laneOf(in.type)), by = laneOf(in.type2);
  if (by != Lane::s32 && by != Lane::f32) return e.refuse("it must choose by .s32 or .f32");
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane);
  const uint32_t c = readFlushed(e, 3, by), atLeast = e.temporary();
  e.emit(e.engine().compare(Relation::ge, by), atLeast, {.a = c, .b = e.constant(0, by)}, false);
  e.emit(Op::select, lane, e.write(e.operand(0), lane), {.a = a, .b = b, .c = atLeast});
}

struct TestWord {
  std::string_view text;
  FloatTest test;
};
constexpr TestWord kTests[] = {{"finite", kFinite}, {"infinite", kInfinite},
                               {"number", kNumber}, {"notanumber", kNotANumber},
                               {"normal", kNormal}, {"subnormal", kSubnormal}};

void testProperty(Emitter& e) {
  e.allow({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  const auto found = std::find_if(std::begin(kTests), std::end(kTests), [&](const TestWord& word) {
    return e.instruction().has(word.text);
  });
  if (found == std::end(kTests)) return e.refuse("it does not say what it tests");
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = e.read(e.operand(1), lane);
  e.emit(Op::testp, lane, e.write(e.operand(0), Lane::u32), {.a = a, .mode = found->test});
}

}  // namespace

DecodeRoot decodeCompare(Opcode opcode) {
  switch (opcode) {
    case Opcode::setp:
      return setPredicate;
    case Opcode::set:
      return setValue;
    case Opcode::selp:
      return selectOne;
    case Opcode::slct:
      return selectBySign;
    case Opcode::testp:
      return testProperty;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
