// SPDX-License-Identifier: Apache-2.0
// Decodes cvt. Every conversion uses types that represent the value exactly, and rounds once.
#include "simt/decode/emitter.h"

namespace tilestep::simt {
namespace {

bool isHalf(Lane lane) {
  return lane == Lane::f16 || lane == Lane::bf16;
}

bool roundsToWhole(ptx::Rounding rounding) {
  using enum ptx::Rounding;
  return rounding == rni || rounding == rzi || rounding == rmi || rounding == rpi;
}

struct Value {
  uint32_t row;
  Lane lane;
};

class Conversion {
 public:
  explicit Conversion(Emitter& emitter) : e_(emitter), in_(emitter.instruction()) {}

  /// Reads the operand as `from` and converts it to `to`, in a temporary.
  uint32_t run(size_t operand, Lane to, Lane from) {
    value_ = {e_.read(e_.operand(operand), from), from};
    // In conversions to f16, an H200 keeps subnormal numbers in spite of .ftz.
    if (in_.ftz && from == Lane::f32 && to != Lane::f16) step(Op::flush);
    if (isHalf(from)) widenHalf(to);
    if (isFloat(value_.lane) && isFloat(to) && roundsToWhole(in_.rounding)) roundToWhole();
    if (isHalf(to) || to == Lane::tf32)
      toNarrow(to);
    else
      toWide(to);
    finishResult();
    return value_.row;
  }

 private:
  void step(Op op) { step(op, value_.lane, Round::nearest); }

  /// Applies `op`, whose result has the type `to`.
  void step(Op op, Lane to, Round round) {
    const uint32_t row = e_.temporary();
    e_.emit(op, to, row, {.a = value_.row}, round);
    value_ = {row, to};
  }

  void step(Lane to, Round round, bool saturate = false, bool toWhole = false) {
    const uint32_t row = e_.temporary();
    e_.emit(e_.engine().convert(to, value_.lane, round, saturate, toWhole), row, {.a = value_.row},
            isWide(to));
    value_ = {row, to};
  }

  /// f16 is not widened to f64 through f32, because f32 would not keep the payload of a NaN.
  void widenHalf(Lane to) {
    const bool direct = to == Lane::f64 && value_.lane == Lane::f16;
    step(direct ? Lane::f64 : Lane::f32, Round::none);
  }

  void roundToWhole() { step(value_.lane, roundOf(in_), false, true); }

  /// Rounds to narrow formats from f64, which represents f32 and 32-bit integers exactly. Every NaN
  /// of f32 becomes the canonical NaN.
  void toNarrow(Lane to) {
    if (in_.rounding == ptx::Rounding::rna) return step(to, Round::away);
    if (value_.lane == Lane::f32) {
      step(Op::canonical);
      if (in_.has("relu") && to == Lane::tf32) step(Op::relu);
      step(Lane::f64, Round::none);
    } else if (value_.lane != Lane::f64) {
      step(Lane::f64, isWide(value_.lane) ? Round::odd : Round::nearest);
    }
    step(to, roundsToWhole(in_.rounding) ? Round::nearest : roundOf(in_));
  }

  void toWide(Lane to) {
    const bool toReal = isFloat(to), fromReal = isFloat(value_.lane);
    if (value_.lane == to && toReal) return;
    Round round = roundOf(in_);
    if (fromReal && !toReal && in_.rounding == ptx::Rounding::none) round = Round::zero;
    if (in_.ftz && to == Lane::f32 && value_.lane == Lane::f64) {
      isFlushed_ = true;
      return step(Op::narrowFtz, to, round);
    }
    step(to, round, in_.sat && !toReal && !fromReal);
  }

  void finishResult() {
    if (in_.ftz && value_.lane == Lane::f32 && !isFlushed_) step(Op::flush);
    if (in_.sat && isFloat(value_.lane)) step(Op::saturate);
    if (in_.has("satfinite")) step(Op::saturateFinite);
    if (in_.has("relu") && value_.lane != Lane::tf32) step(Op::relu);
  }

  Emitter& e_;
  const ptx::Instruction& in_;
  Value value_{};
  bool isFlushed_ = false;
};

/// Writes the result. If the register is wider than the result, the result is extended.
void store(Emitter& e, uint32_t row, Lane lane) {
  const bool extends = e.isWideRegister(e.operand(0)) && !isWide(lane);
  if (extends) return e.convert(e.write(e.operand(0), Lane::u64), Lane::u64, row, lane);
  e.deliver(e.write(e.operand(0), lane), row, isWide(lane));
}

/// cvt.f16x2.f32 d, a, b: a becomes the upper half and b the lower half.
void packHalves(Emitter& e) {
  const Lane half = halfOf(laneOf(e.instruction().type));
  if (laneOf(e.instruction().type2) != Lane::f32) return e.refuse("only f32 can be packed");
  const uint32_t upper = Conversion(e).run(1, half, Lane::f32);
  const uint32_t lower = Conversion(e).run(2, half, Lane::f32);
  e.emit(Op::prmt, Lane::u32, e.write(e.operand(0), Lane::u32),
         {.a = lower, .b = upper, .c = e.constant(0x5410, Lane::u32)});
}

/// A packed integer type of cvt.pack: "u16", "s4", …
struct Packed {
  bool isSigned;
  uint32_t bits;
};
std::optional<Packed> packedOf(const ptx::Instruction& in) {
  for (const std::string& word : in.suffixes) {
    for (const uint32_t bits : {2u, 4u, 8u, 16u}) {
      if (word == "u" + std::to_string(bits)) return Packed{false, bits};
      if (word == "s" + std::to_string(bits)) return Packed{true, bits};
    }
  }
  return std::nullopt;
}

/// A source clamped to the range of the packed type, with all other bits cleared.
uint32_t clamped(Emitter& e, size_t operand, const Packed& to) {
  const uint32_t row = e.temporary();
  const uint32_t ones = (1u << to.bits) - 1, half = ones >> 1;
  const uint32_t most = e.constant(to.isSigned ? half : ones, Lane::u32);
  const uint32_t least = e.constant(to.isSigned ? ~half : 0, Lane::u32);
  e.emit(Op::min, Lane::s32, row, {.a = e.read(e.operand(operand), Lane::s32), .b = most});
  e.emit(Op::max, Lane::s32, row, {.a = row, .b = least});
  e.emit(Op::bitAnd, Lane::u32, row, {.a = row, .b = e.constant(ones, Lane::u32)});
  return row;
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: d holds, from the highest bits down, c, a and b.
void packIntegers(Emitter& e) {
  e.allow({"pack", "u4", "s4", "u2", "s2"});
  const auto to = packedOf(e.instruction());
  if (!to || !e.instruction().sat) return e.refuse("its types are not supported");
  const uint32_t shift = e.constant(to->bits, Lane::u32);
  const uint32_t upper = clamped(e, 1, *to), lower = clamped(e, 2, *to);
  if (e.instruction().operands.size() == 4) {
    const uint32_t above = e.temporary();
    e.emit(Op::shl, Lane::u32, above, {.a = e.read(e.operand(3), Lane::u32), .b = shift});
    e.emit(Op::bitOr, Lane::u32, upper, {.a = upper, .b = above});
  }
  e.emit(Op::shl, Lane::u32, upper, {.a = upper, .b = shift});
  e.emit(Op::bitOr, Lane::u32, e.write(e.operand(0), Lane::u32), {.a = upper, .b = lower});
}

void convertType(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  if (in.has("pack")) return packIntegers(e);
  e.allow({"relu", "satfinite"});
  const Lane to = in.type == ptx::Type::tf32 ? Lane::tf32 : laneOf(in.type);
  const Lane from = laneOf(in.type2);
  if (to == Lane::none || from == Lane::none) return e.refuse("its types are not supported");
  if (isPair(to)) return packHalves(e);
  if (in.operands.size() != 2) return e.refuse("it needs one source");
  store(e, Conversion(e).run(1, to, from), to == Lane::tf32 ? Lane::u32 : to);
}

}  // namespace

DecodeRoot decodeConvert(ptx::Opcode opcode) {
  return opcode == ptx::Opcode::cvt ? convertType : nullptr;
}

}  // namespace tilestep::simt
