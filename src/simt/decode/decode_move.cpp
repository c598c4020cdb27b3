// SPDX-License-Identifier: Apache-2.0
// Decodes mov and cvta.
#include "simt/decode/emitter.h"

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

/// mov.b64 {lo, hi}, a and similar forms. Each part is a, shifted right.
void unpack(Emitter& e, Lane lane) {
  const auto& parts = e.operand(0).elements;
  if (parts.empty()) return e.refuse("it has no parts");
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

/// mov.b64 d, {lo, hi} and similar forms. The parts are shifted left and combined by OR.
void pack(Emitter& e, Lane lane) {
  const auto& parts = e.operand(1).elements;
  if (parts.empty()) return e.refuse("it has no parts");
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
  if (lane == Lane::none) return e.refuse("its type is not supported");
  if (e.operand(0).kind == Kind::vector) return unpack(e, lane);
  if (e.operand(1).kind == Kind::vector) return pack(e, lane);
  if (in.type == ptx::Type::pred) {
    return e.copy(e.write(e.operand(0), lane), e.readPredicate(e.operand(1)), false);
  }
  // Immediates are read with their own type, so that 1.5 is a float in mov.f32.
  const uint32_t from = e.read(e.operand(1), laneOf(in.type));
  e.copy(e.write(e.operand(0), lane), from, isWide(lane));
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

/// cvta. A generic address is the address in a state space plus that space's window. Global and
/// constant addresses are unchanged.
void convertAddress(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  const Lane lane = bitsLike(laneOf(in.type));
  if (!isWide(lane)) return e.refuse("32-bit addresses are not supported");
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
    case Opcode::cvta:
      return convertAddress;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
