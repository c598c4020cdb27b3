// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <iterator>

#include "simt/decode/decode_arithmetic.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;

/// An opcode whose instructions need a single micro-operation.
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

/// The variant with flushing, for operations that must round and flush together; else Op::none.
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

/// add.sat and sub.sat of .s32, computed in 64 bits.
void saturatedSum(Emitter& e) {
  const uint32_t a = widened(e, e.read(e.operand(1), Lane::s32));
  const uint32_t b = widened(e, e.read(e.operand(2), Lane::s32));
  e.emit(operationOf(e.instruction().opcode), Lane::s64, a, {.a = a, .b = b});
  saturateWord(e, a);
}

}  // namespace

Op operationOf(Opcode opcode) {
  const auto found = std::find_if(std::begin(kSimple), std::end(kSimple),
                                  [&](const Simple& row) { return row.opcode == opcode; });
  return found == std::end(kSimple) ? Op::none : found->op;
}

void emitOperation(Emitter& e, Op op, Lane lane, size_t sources, uint32_t d) {
  if (e.instruction().type2 != ptx::Type::none)
    return e.refuse("sources of two types are not supported");
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

void saturateWord(Emitter& e, uint32_t wide) {
  e.emit(e.engine().convert(Lane::s32, Lane::s64, Round::none, true, false),
         e.write(e.operand(0), Lane::s32), {.a = wide}, false);
}

uint32_t widened(Emitter& e, uint32_t row) {
  const uint32_t wide = e.temporary();
  e.convert(wide, Lane::s64, row, Lane::s32);
  return wide;
}

void decodeBinary(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  const Lane lane = laneOf(in.type);
  if (in.sat && lane == Lane::s32) return saturatedSum(e);
  if (in.sat && !isFloat(lane)) e.refuse("integer .sat is supported only for add and sub of .s32");
  emitOperation(e, operationOf(e.instruction().opcode), lane, 2, e.write(e.operand(0), lane));
}

}  // namespace tilestep::simt
