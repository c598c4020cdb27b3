// SPDX-License-Identifier: Apache-2.0
// Decodes sums and differences of more than one word: add.cc, addc, sub.cc, subc, mad.cc and madc.
#include "simt/decode/emitter.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;

void compare(Emitter& e, Relation relation, Lane lane, uint32_t d, uint32_t a, uint32_t b) {
  e.emit(e.engine().compare(relation, lane), d, {.a = a, .b = b}, false);
}

/// The condition code as a number in each lane, -1 or 0.
uint32_t carryAsNumber(Emitter& e, Lane lane) {
  if (!isWide(lane)) return e.carry();
  const uint32_t wide = e.temporary();
  e.convert(wide, Lane::s64, e.carry(), Lane::s32);
  return wide;
}

struct Chain {
  bool subtracts, takesCarry, givesCarry;
};

/// d = a ± b ± carry. The carry is set if either step wraps around.
void chain(Emitter& e, uint32_t a, uint32_t b, Lane lane, const Chain& chain) {
  const uint32_t first = e.temporary(), second = e.temporary();
  const uint32_t carried = e.temporary(), again = e.temporary();
  e.emit(chain.subtracts ? Op::sub : Op::add, lane, first, {.a = a, .b = b});
  compare(e, Relation::lt, lane, carried, chain.subtracts ? a : first, chain.subtracts ? b : a);
  if (chain.takesCarry) {
    e.emit(chain.subtracts ? Op::add : Op::sub, lane, second,
           {.a = first, .b = carryAsNumber(e, lane)});
    compare(e, Relation::lt, lane, again, chain.subtracts ? first : second,
            chain.subtracts ? second : first);
    e.emit(Op::bitOr, Lane::u32, carried, {.a = carried, .b = again});
  }
  e.copy(e.write(e.operand(0), lane), chain.takesCarry ? second : first, isWide(lane));
  if (chain.givesCarry) e.copy(e.carry(), carried, false);
}

void extendedSum(Emitter& e) {
  e.allow({"cc"});
  const ptx::Instruction& in = e.instruction();
  const Lane lane = bitsLike(laneOf(in.type));
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane);
  const bool subtracts = in.opcode == Opcode::sub || in.opcode == Opcode::subc;
  const bool takes = in.opcode == Opcode::addc || in.opcode == Opcode::subc;
  chain(e, a, b, lane, {subtracts, takes, in.has("cc")});
}

void extendedProduct(Emitter& e) {
  e.allow({"cc", "lo", "hi"});
  const ptx::Instruction& in = e.instruction();
  const Lane lane = laneOf(in.type), sum = bitsLike(lane);
  const uint32_t a = e.read(e.operand(1), lane), b = e.read(e.operand(2), lane),
                 c = e.read(e.operand(3), lane);
  const uint32_t product = e.temporary();
  e.emit(in.part == ptx::Part::hi ? Op::mulHigh : Op::mul, lane, product, {.a = a, .b = b});
  chain(e, product, c, sum, {false, in.opcode == Opcode::madc, in.has("cc")});
}

}  // namespace

DecodeRoot decodeCarry(Opcode opcode) {
  switch (opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::addc:
    case Opcode::subc:
      return extendedSum;
    case Opcode::mad:
    case Opcode::madc:
      return extendedProduct;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
