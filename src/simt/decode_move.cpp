// SPDX-License-Identifier: Apache-2.0
// mov, cvt and cvta.
#include "simt/emitter.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

Lane partLane(unsigned bytes) {
  return bytes == 1   ? Lane::u8
         : bytes == 2 ? Lane::u16
         : bytes == 4 ? Lane::u32
         : bytes == 8 ? Lane::u64
                      : Lane::none;
}

/// mov.b64 {lo, hi}, a and its like: each part is a shifted down.
void unpack(Emitter& e, Lane lane) {
  const auto& parts = e.operand(0).elements;
  const Lane part = partLane(bytesOf(lane) / static_cast<unsigned>(parts.size()));
  const uint32_t whole = e.temporary();
  e.copy(whole, e.read(e.operand(1), lane), isWide(lane));
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind == Kind::sink) continue;
    const uint32_t shifted = RowFile::temporary(RowFile::kTemporaries - 1);
    const uint32_t amount = e.constant(i * 8 * bytesOf(part), Lane::u32);
    e.emit(Op::shr, lane, shifted, {.a = whole, .b = amount});
    if (isWide(lane))
      e.convert(e.write(parts[i], part), part, shifted, Lane::u64);
    else
      e.convert(e.write(parts[i], part), part, shifted, Lane::u32);
  }
}

/// mov.b64 d, {lo, hi}: parts shifted up and or-ed.
void pack(Emitter& e, Lane lane) {
  const auto& parts = e.operand(1).elements;
  const Lane part = partLane(bytesOf(lane) / static_cast<unsigned>(parts.size()));
  const uint32_t sum = e.temporary(), widened = e.temporary();
  for (size_t i = 0; i < parts.size(); ++i) {
    e.convert(i == 0 ? sum : widened, lane, e.read(parts[i], part), part);
    if (i == 0) continue;
    const uint32_t amount = e.constant(i * 8 * bytesOf(part), Lane::u32);
    e.emit(Op::shl, lane, widened, {.a = widened, .b = amount});
    e.emit(Op::bitOr, lane, sum, {.a = sum, .b = widened});
  }
  e.copy(e.write(e.operand(0), lane), sum, isWide(lane));
}

void move(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  const Lane lane = bitsLike(laneOf(in.type));
  if (lane == Lane::none) return e.refuse("its type is not known");
  if (e.operand(0).kind == Kind::vector) return unpack(e, lane);
  if (e.operand(1).kind == Kind::vector) return pack(e, lane);
  if (in.type == ptx::Type::pred) {
    return e.copy(e.write(e.operand(0), lane), e.readPredicate(e.operand(1)), false);
  }
  // Immediates are read with their own type, so that 1.5 is a float in mov.f32.
  const uint32_t from = e.read(e.operand(1), laneOf(in.type));
  e.copy(e.write(e.operand(0), lane), from, isWide(lane));
}

struct Rounding {
  Round round = Round::none;
  bool toInteger = false;
};

Rounding roundingOf(ptx::Rounding rounding) {
  using enum ptx::Rounding;
  switch (rounding) {
    case rn:
    case rna:
      return {Round::nearest, false};
    case rz:
      return {Round::zero, false};
    case rm:
      return {Round::down, false};
    case rp:
      return {Round::up, false};
    case rni:
      return {Round::nearest, true};
    case rzi:
      return {Round::zero, true};
    case rmi:
      return {Round::down, true};
    case rpi:
      return {Round::up, true};
    case none:
      return {};
  }
  return {};
}

bool isFloat(Lane lane) {
  return lane == Lane::f32 || lane == Lane::f64;
}

/// Sources may be wider registers than their type; narrow results extend to the register.
void convertType(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  const Lane to = laneOf(in.type), from = laneOf(in.type2);
  Rounding rounding = roundingOf(in.rounding);
  if (rounding.round == Round::none && isFloat(from) && !isFloat(to)) rounding.round = Round::zero;
  if (rounding.round == Round::none && isFloat(to) && !isFloat(from)) {
    rounding.round = Round::nearest;
  }
  uint32_t source = e.read(e.operand(1), from);
  if (in.ftz && from == Lane::f32) {
    const uint32_t flushed = e.temporary();
    e.emit(Op::flush, from, flushed, {.a = source});
    source = flushed;
  }
  const bool extends = e.isWideRegister(e.operand(0)) && !isWide(to);
  const uint32_t d = extends ? e.temporary() : e.write(e.operand(0), to);
  const bool clamp = in.sat && !isFloat(to) && !isFloat(from);
  e.emit(e.engine().convert(to, from, rounding.round, clamp, rounding.toInteger), d, {.a = source},
         isWide(to));
  if (in.ftz && to == Lane::f32) e.emit(Op::flush, to, d, {.a = d});
  if (in.sat && isFloat(to)) e.emit(Op::saturate, to, d, {.a = d});
  if (extends) e.convert(e.write(e.operand(0), Lane::u64), Lane::u64, d, to);
}

uint64_t windowOf(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared:
      return kSharedWindow;
    case ptx::Space::local:
      return kLocalWindow;
    case ptx::Space::param:
      return kParamWindow;
    default:
      return 0;
  }
}

/// Generic addresses are those of a space plus its window; global and constant ones are the same.
void convertAddress(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  const Lane lane = bitsLike(laneOf(in.type));
  if (!isWide(lane)) return e.refuse("32-bit addresses are not known");
  const uint32_t from = e.read(e.operand(1), lane), d = e.write(e.operand(0), lane);
  const uint64_t window = windowOf(in.space);
  if (window == 0) return e.copy(d, from, true);
  e.emit(in.has("to") ? Op::sub : Op::add, lane, d, {.a = from, .b = e.constant(window, lane)});
}

}  // namespace

DecodeRoot decodeMove(Opcode opcode) {
  switch (opcode) {
    case Opcode::mov:
      return move;
    case Opcode::cvt:
      return convertType;
    case Opcode::cvta:
      return convertAddress;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
