// SPDX-License-Identifier: Apache-2.0
// Decodes shfl, vote, activemask, match, redux, elect and the fences.
#include <algorithm>
#include <iterator>

#include "simt/decode/emitter.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

struct WarpWord {
  std::string_view text;
  WarpOp op;
};

template <size_t count>
std::optional<WarpOp> warpOpOf(const ptx::Instruction& instruction,
                               const WarpWord (&words)[count]) {
  const auto found = std::find_if(std::begin(words), std::end(words),
                                  [&](const WarpWord& word) { return instruction.has(word.text); });
  if (found == std::end(words)) return std::nullopt;
  return found->op;
}

/// Rows of the destination `d` or `d|p`; kNoRow for a discarded part.
struct Destination {
  uint32_t value = kNoRow, predicate = kNoRow;
};

Destination destination(Emitter& e, Lane lane) {
  const ptx::Operand& operand = e.operand(0);
  const bool pair = operand.kind == Kind::pair;
  const auto rowOf = [&](const ptx::Operand& part, Lane as) {
    return part.kind == Kind::sink ? kNoRow : e.write(part, as);
  };
  if (!pair) return {rowOf(operand, lane), kNoRow};
  return {rowOf(operand.elements[0], lane), rowOf(operand.elements[1], Lane::u32)};
}

void emit(Emitter& e, Handler handler, Destination to, Emitter::Sources sources) {
  Instr instr;
  instr.op = handler;
  instr.d = to.value == kNoRow ? e.temporary() : to.value;
  instr.target = to.predicate;
  instr.a = sources.a;
  instr.b = sources.b;
  instr.c = sources.c;
  e.emitOfWarp(instr);
}
void emit(Emitter& e, WarpOp op, Destination to, Emitter::Sources sources, bool wide = false) {
  emit(e, e.engine().warp(op, wide), to, sources);
}

void shfl(Emitter& e) {
  e.allow({"sync", "up", "down", "bfly", "idx"});
  const Handler shuffle = shuffleOf(e);
  if (shuffle == nullptr) return e.refuse("this form of it is not supported");
  const Destination to = destination(e, Lane::u32);
  const uint32_t a = e.read(e.operand(1), Lane::u32), b = e.read(e.operand(2), Lane::u32),
                 c = e.read(e.operand(3), Lane::u32);
  emit(e, shuffle, to, {.a = a, .b = b, .c = c});
}

void vote(Emitter& e) {
  e.allow({"sync", "all", "any", "uni", "ballot"});
  static constexpr WarpWord kModes[] = {{"all", WarpOp::voteAll},
                                        {"any", WarpOp::voteAny},
                                        {"uni", WarpOp::voteUni},
                                        {"ballot", WarpOp::voteBallot}};
  const auto op = warpOpOf(e.instruction(), kModes);
  if (!op) return e.refuse("this form of it is not supported");
  const Destination to = destination(e, Lane::u32);
  emit(e, *op, to, {.a = e.readPredicate(e.operand(1))});
}

void activemask(Emitter& e) {
  e.allow({});
  emit(e, WarpOp::activeMask, destination(e, Lane::u32), {});
}

void elect(Emitter& e) {
  e.allow({"sync"});
  emit(e, WarpOp::elect, destination(e, Lane::u32), {});
}

void match(Emitter& e) {
  e.allow({"sync", "any", "all"});
  static constexpr WarpWord kModes[] = {{"any", WarpOp::matchAny}, {"all", WarpOp::matchAll}};
  const auto op = warpOpOf(e.instruction(), kModes);
  const Lane lane = laneOf(e.instruction().type);
  if (!op || bytesOf(lane) < 4) return e.refuse("this form of it is not supported");
  const Destination to = destination(e, Lane::u32);
  emit(e, *op, to, {.a = e.read(e.operand(1), lane)}, isWide(lane));
}

void redux(Emitter& e) {
  e.allow({"sync", "add", "min", "max", "and", "or", "xor"});
  static constexpr WarpWord kSigned[] = {{"add", WarpOp::reduceAdd},
                                         {"min", WarpOp::reduceMinSigned},
                                         {"max", WarpOp::reduceMaxSigned}};
  static constexpr WarpWord kUnsigned[] = {{"add", WarpOp::reduceAdd}, {"min", WarpOp::reduceMin},
                                           {"max", WarpOp::reduceMax}, {"and", WarpOp::reduceAnd},
                                           {"or", WarpOp::reduceOr},   {"xor", WarpOp::reduceXor}};
  const Lane lane = laneOf(e.instruction().type);
  const auto op = lane == Lane::s32   ? warpOpOf(e.instruction(), kSigned)
                  : lane == Lane::u32 ? warpOpOf(e.instruction(), kUnsigned)
                                      : std::nullopt;
  if (!op) return e.refuse("this form of it is not supported");
  const Destination to = destination(e, Lane::u32);
  emit(e, *op, to, {.a = e.read(e.operand(1), lane)});
}

void fence(Emitter& e) {
  if (e.instruction().has("proxy")) return e.refuse("proxies are not supported");
  Instr instr;
  instr.op = e.engine().warp(WarpOp::fence, false);
  instr.isFence = true;
  e.emitOfWarp(instr);
}

/// Emits nothing, because the interpreter does not model time.
void noDelay(Emitter&) {}

}  // namespace

Handler shuffleOf(const Emitter& e) {
  static constexpr WarpWord kModes[] = {{"up", WarpOp::shflUp},
                                        {"down", WarpOp::shflDown},
                                        {"bfly", WarpOp::shflBfly},
                                        {"idx", WarpOp::shflIdx}};
  const auto op = warpOpOf(e.instruction(), kModes);
  const bool known = op && laneOf(e.instruction().type) == Lane::u32;
  return known ? e.engine().warp(*op, false) : nullptr;
}

DecodeRoot decodeWarp(Opcode opcode) {
  switch (opcode) {
    case Opcode::shfl:
      return shfl;
    case Opcode::vote:
      return vote;
    case Opcode::activemask:
      return activemask;
    case Opcode::elect:
      return elect;
    case Opcode::match:
      return match;
    case Opcode::redux:
      return redux;
    case Opcode::membar:
    case Opcode::fence:
      return fence;
    case Opcode::nanosleep:
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::pmevent:
      return noDelay;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
