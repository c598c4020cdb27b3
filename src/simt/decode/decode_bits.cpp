// SPDX-License-Identifier: Apache-2.0
// Decodes operations on bit fields, masks and bytes: bfe bfi bfind bmsk szext fns prmt lop3 shf and
// the video instructions.
#include <algorithm>
#include <iterator>

#include "simt/decode/emitter.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

uint32_t word(Emitter& e, size_t operand) {
  return e.read(e.operand(operand), Lane::u32);
}

/// Emits d = op(a, b, c) of 32-bit words with the given mode.
void modal(Emitter& e, Op op, int64_t mode) {
  const uint32_t a = word(e, 1), b = word(e, 2), c = word(e, 3);
  e.emit(op, Lane::u32, e.write(e.operand(0), Lane::u32), {.a = a, .b = b, .c = c, .mode = mode});
}

void bitField(Emitter& e) {
  e.allow({});
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = e.read(e.operand(1), lane);
  if (e.instruction().opcode == Opcode::bfe) {
    const uint32_t b = word(e, 2), c = word(e, 3);
    return e.emit(Op::bfe, lane, e.write(e.operand(0), lane), {.a = a, .b = b, .c = c});
  }
  const uint32_t b = e.read(e.operand(2), lane);
  const uint32_t c = word(e, 3), length = word(e, 4);
  e.emit(Op::bfi, lane, e.write(e.operand(0), lane), {.a = a, .b = b, .c = c, .fourth = length});
}

/// bfind. With .shiftamt, the result is the left shift that moves the found bit to the top, or all
/// ones if no bit was found.
void findHighest(Emitter& e) {
  e.allow({"shiftamt"});
  const Lane lane = laneOf(e.instruction().type);
  const uint32_t a = e.read(e.operand(1), lane);
  if (!e.instruction().has("shiftamt")) {
    return e.emit(Op::bfind, lane, e.write(e.operand(0), Lane::u32), {.a = a});
  }
  const uint32_t found = e.temporary(), shift = e.temporary(), none = e.temporary();
  const uint32_t top = e.constant(8 * bytesOf(lane) - 1, Lane::u32);
  const uint32_t nothing = e.constant(0xffffffffu, Lane::u32);
  e.emit(Op::bfind, lane, found, {.a = a});
  e.emit(Op::sub, Lane::u32, shift, {.a = top, .b = found});
  e.emit(e.engine().compare(Relation::eq, Lane::u32), none, {.a = found, .b = nothing}, false);
  e.emit(Op::bitOr, Lane::u32, e.write(e.operand(0), Lane::u32), {.a = shift, .b = none});
}

int64_t clamps(Emitter& e) {
  e.allow({"clamp", "wrap"});
  return e.instruction().has("clamp") ? 1 : 0;
}

void makeMask(Emitter& e) {
  const int64_t mode = clamps(e);
  const uint32_t a = word(e, 1), b = word(e, 2);
  e.emit(Op::bmsk, Lane::u32, e.write(e.operand(0), Lane::u32),
         {.a = a, .b = b, .c = a, .mode = mode});
}

void extend(Emitter& e) {
  const int64_t mode = clamps(e);
  const bool isSigned = e.instruction().type == ptx::Type::s32;
  const uint32_t a = word(e, 1), b = word(e, 2);
  const uint32_t sign = e.constant(isSigned ? 0xffffffffu : 0, Lane::u32);
  e.emit(Op::szext, Lane::u32, e.write(e.operand(0), Lane::u32),
         {.a = a, .b = b, .c = sign, .mode = mode});
}

void findNth(Emitter& e) {
  e.allow({});
  modal(e, Op::fns, 0);
}

struct PermuteWord {
  std::string_view text;
  int64_t mode;
};
constexpr PermuteWord kPermuteModes[] = {{"f4e", kForward4},   {"b4e", kBackward4},
                                         {"rc8", kReplicate8}, {"ecl", kEdgeLeft},
                                         {"ecr", kEdgeRight},  {"rc16", kReplicate16}};

void permute(Emitter& e) {
  e.allow({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"});
  const auto named = [&](const PermuteWord& mode) { return e.instruction().has(mode.text); };
  const auto found = std::find_if(std::begin(kPermuteModes), std::end(kPermuteModes), named);
  modal(e, Op::prmt, found == std::end(kPermuteModes) ? int64_t{kAnyByte} : found->mode);
}

void funnel(Emitter& e) {
  e.allow({"l", "r", "wrap", "clamp"});
  const ptx::Instruction& in = e.instruction();
  modal(e, Op::funnel, (in.has("r") ? kFunnelRight : 0) | (in.has("clamp") ? kFunnelClamp : 0));
}

/// lop3.b32 d, a, b, c, table; with .or or .and also p = (d != 0) op q.
void logicOfThree(Emitter& e) {
  e.allow({"or", "and"});
  const ptx::Operand& table = e.operand(4);
  if (table.kind != Kind::immediate) return e.refuse("its table is not a constant");
  const bool combines = e.operand(0).kind == Kind::pair;
  const uint32_t a = word(e, 1), b = word(e, 2), c = word(e, 3), result = e.temporary();
  e.emit(Op::lop3, Lane::u32, result,
         {.a = a, .b = b, .c = c, .mode = static_cast<int64_t>(table.bits & 0xff)});
  if (!combines) return e.deliver(e.write(e.operand(0), Lane::u32), result, false);
  const uint32_t q = e.readPredicate(e.operand(5)), p = e.temporary();
  const auto& to = e.operand(0).elements;
  e.emit(e.engine().compare(Relation::ne, Lane::u32), p,
         {.a = result, .b = e.constant(0, Lane::u32)}, false);
  e.emit(e.instruction().has("or") ? Op::bitOr : Op::bitAnd, Lane::u32, p, {.a = p, .b = q});
  e.copy(e.write(to[0], Lane::u32), result, false);
  e.copy(e.write(to[1], Lane::u32), p, false);
}

struct VideoRoot {
  Opcode opcode;
  int64_t mode;
};
constexpr VideoRoot kVideoRoots[] = {
    {Opcode::vadd2, kVideoAdd},
    {Opcode::vsub2, kVideoSub},
    {Opcode::vabsdiff2, kVideoAbsDiff},
    {Opcode::vavrg2, kVideoAverage},
    {Opcode::vmin2, kVideoMin},
    {Opcode::vmax2, kVideoMax},
    {Opcode::vadd4, kVideoAdd | kVideoBytes},
    {Opcode::vsub4, kVideoSub | kVideoBytes},
    {Opcode::vabsdiff4, kVideoAbsDiff | kVideoBytes},
    {Opcode::vavrg4, kVideoAverage | kVideoBytes},
    {Opcode::vmin4, kVideoMin | kVideoBytes},
    {Opcode::vmax4, kVideoMax | kVideoBytes},
};

const VideoRoot* videoOf(Opcode opcode) {
  const auto found = std::find_if(std::begin(kVideoRoots), std::end(kVideoRoots),
                                  [&](const VideoRoot& root) { return root.opcode == opcode; });
  return found == std::end(kVideoRoots) ? nullptr : found;
}

/// Video instructions. The IR keeps only two types, so those of d, a and b are read from suffixes.
void video(Emitter& e) {
  e.allow({"add"});
  const ptx::Instruction& in = e.instruction();
  int64_t mode = videoOf(in.opcode)->mode;
  constexpr int64_t kSigns[] = {kVideoSignedD, kVideoSignedA, kVideoSignedB};
  for (size_t i = 0; i < 3; ++i) {
    if (i < in.suffixes.size() && in.suffixes[i] == "s32") mode |= kSigns[i];
  }
  if (in.sat) mode |= kVideoSaturate;
  if (in.has("add")) mode |= kVideoAccumulate;
  if (in.operands.size() != 4) return e.refuse("it needs a, b and c");
  modal(e, Op::video, mode);
}

}  // namespace

DecodeRoot decodeBits(Opcode opcode) {
  if (videoOf(opcode) != nullptr) return video;
  switch (opcode) {
    case Opcode::bfe:
    case Opcode::bfi:
      return bitField;
    case Opcode::bfind:
      return findHighest;
    case Opcode::bmsk:
      return makeMask;
    case Opcode::szext:
      return extend;
    case Opcode::fns:
      return findNth;
    case Opcode::prmt:
      return permute;
    case Opcode::shf:
      return funnel;
    case Opcode::lop3:
      return logicOfThree;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
