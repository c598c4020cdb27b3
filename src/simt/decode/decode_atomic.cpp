// SPDX-License-Identifier: Apache-2.0
// Decodes atom and red.
#include <algorithm>
#include <iterator>

#include "simt/decode/memory_operand.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using ptx::Type;
using Kind = ptx::Operand::Kind;

struct AtomicWord {
  std::string_view text;
  AtomicOp op;
};
constexpr AtomicWord kAtomicWords[] = {
    {"add", AtomicOp::add},    {"min", AtomicOp::min},    {"max", AtomicOp::max},
    {"inc", AtomicOp::inc},    {"dec", AtomicOp::dec},    {"exch", AtomicOp::exch},
    {"cas", AtomicOp::cas},    {"and", AtomicOp::bitAnd}, {"or", AtomicOp::bitOr},
    {"xor", AtomicOp::bitXor},
};

std::optional<AtomicOp> atomicOpOf(const ptx::Instruction& instruction) {
  const auto found =
      std::find_if(std::begin(kAtomicWords), std::end(kAtomicWords),
                   [&](const AtomicWord& word) { return instruction.has(word.text); });
  if (found == std::end(kAtomicWords)) return std::nullopt;
  return found->op;
}

struct Form {
  AtomicOp op;
  Lane lane;
};

bool isInteger(Lane lane) {
  return lane == Lane::u32 || lane == Lane::s32 || lane == Lane::u64 || lane == Lane::s64;
}

bool isKnown(const Form& form) {
  const bool real = form.lane == Lane::f32 || form.lane == Lane::f64;
  switch (form.op) {
    case AtomicOp::add:
      return isInteger(form.lane) || real;
    case AtomicOp::inc:
    case AtomicOp::dec:
      return form.lane == Lane::u32;
    case AtomicOp::cas:
      return isInteger(form.lane) || form.lane == Lane::u16;
    default:
      return isInteger(form.lane);
  }
}

/// Half types are supported only for additions.
std::optional<Form> formOf(AtomicOp op, Type type) {
  if (op == AtomicOp::add) {
    if (type == Type::f16) return Form{AtomicOp::addHalf, Lane::u16};
    if (type == Type::f16x2) return Form{AtomicOp::addHalves, Lane::u32};
    if (type == Type::bf16) return Form{AtomicOp::addBfloat, Lane::u16};
    if (type == Type::bf16x2) return Form{AtomicOp::addBfloats, Lane::u32};
  }
  const bool bits = type == Type::b32 || type == Type::b64;
  const bool counts = op == AtomicOp::add || op == AtomicOp::min || op == AtomicOp::max;
  const Form form{op, laneOf(type)};
  if (!isKnown(form) || (bits && counts)) return std::nullopt;
  return form;
}

void decodeUpdate(Emitter& e, bool returns) {
  allowAccess(e, {"add", "min", "max", "inc", "dec", "exch", "cas", "and", "or", "xor", "noftz"});
  const ptx::Instruction& in = e.instruction();
  const auto op = atomicOpOf(in);
  const auto space = memorySpaceOf(in.space);
  const auto form = op ? formOf(*op, in.type) : std::nullopt;
  const size_t first = returns ? 1 : 0;
  if (!form || !space || in.vectorWidth > 1) {
    return e.refuse("this form of it is not supported");
  }
  const size_t sources = form->op == AtomicOp::cas ? 2 : 1;
  if (in.operands.size() < first + 1 + sources) return e.refuse("it has too few operands");
  Instr instr;
  instr.space = *space;
  instr.isAtomic = instr.isStore = true;
  instr.elements = 1;
  instr.bytes = static_cast<uint8_t>(bytesOf(form->lane));
  if (!decodeAddress(e, e.operand(first), instr)) return;
  instr.d = returns && e.operand(0).kind != Kind::sink ? e.write(e.operand(0), form->lane) : kNoRow;
  instr.a = e.read(e.operand(first + 1), form->lane);
  instr.b = sources == 2 ? e.read(e.operand(first + 2), form->lane) : instr.a;
  instr.wideResult = isWide(form->lane);
  instr.op = e.engine().atomic(form->op, form->lane);
  e.emitMemory(instr);
}

void atom(Emitter& e) {
  decodeUpdate(e, true);
}
void red(Emitter& e) {
  if (e.instruction().has("async")) return e.refuse("its asynchronous form is not supported");
  decodeUpdate(e, false);
}

}  // namespace

DecodeRoot decodeAtomic(Opcode opcode) {
  switch (opcode) {
    case Opcode::atom:
      return atom;
    case Opcode::red:
      return red;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
