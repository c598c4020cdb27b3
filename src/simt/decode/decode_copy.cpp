// SPDX-License-Identifier: Apache-2.0
// Decodes cp.async, ldmatrix, isspacep, and hints that have no effect.
#include "simt/decode/memory_operand.h"
#include "simt/run/device_copies.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

void emitOf(Emitter& e, Handler handler, int64_t offset = 0) {
  Instr instr;
  instr.op = handler;
  instr.offset = offset;
  e.emitOfWarp(instr);
}

/// cp.async.ca.shared.global [to], [from], bytes{, given}{, policy}. If `given` is a predicate that
/// is true, zeros are copied instead of the source.
void copyAsync(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  const ptx::Operand& size = e.operand(2);
  const bool known = size.kind == Kind::immediate &&
                     (size.bits == 4 || size.bits == 8 || size.bits == 16) &&
                     e.operand(1).kind == Kind::address;
  if (!known) return e.refuse("this form of it is not supported");
  Instr source, instr;
  if (!decodeAddress(e, e.operand(1), source) || !decodeAddress(e, e.operand(0), instr)) return;
  if (!source.wideAddress) return e.refuse("32-bit addresses are not supported");
  instr.c = e.temporary();
  const uint32_t offset = e.constant(static_cast<uint64_t>(source.offset), Lane::u64);
  e.emit(Op::add, Lane::u64, instr.c, {.a = source.address, .b = offset});
  instr.a = instr.b = kNoRow;
  const ptx::Operand& given = e.operand(3);
  const bool isPredicate = given.kind == Kind::reg &&
                           e.function().function->registers[given.reg].type == ptx::Type::pred;
  const bool isPolicy = given.kind == Kind::reg && e.isWideRegister(given);
  if (isPredicate)
    instr.a = e.readPredicate(given);
  else if (in.operands.size() > 3 && !isPolicy)
    instr.b = e.read(given, Lane::u32);
  instr.op = startCopy;
  instr.space = MemorySpace::shared;
  instr.isStore = instr.isDeferred = true;
  instr.elements = 1;
  instr.bytes = static_cast<uint8_t>(size.bits);
  e.emitMemory(instr);
}

void copy(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  if (!in.has("async") || in.has("bulk") || in.has("mbarrier") || in.has("reduce")) {
    return e.refuse("only plain asynchronous copies are known");
  }
  if (in.has("commit_group")) return emitOf(e, commitCopies);
  if (in.has("wait_all")) return emitOf(e, waitForAllCopies);
  if (!in.has("wait_group")) return copyAsync(e);
  if (e.operand(0).kind != Kind::immediate) return e.refuse("its number of groups is missing");
  emitOf(e, waitForCopies, static_cast<int64_t>(e.operand(0).bits & 0xffffffffu));
}

/// ldmatrix uses only the addresses of its first lanes. They are repeated in the other lanes, so
/// that every lane has a valid row address.
uint32_t repeatAddresses(Emitter& e, const Instr& matrix) {
  if (matrix.elements == 4) return matrix.address;
  Instr instr;
  instr.op = repeatLanes;
  instr.d = e.temporary();
  instr.a = matrix.address;
  instr.wideResult = matrix.wideAddress;
  instr.offset = int64_t{8} * matrix.elements;
  e.emitOfWarp(instr);
  return instr.d;
}

void matrix(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  const auto space = memorySpaceOf(in.space);
  const uint8_t count = in.has("x1") ? 1 : in.has("x2") ? 2 : in.has("x4") ? 4 : 0;
  const bool known = in.has("m8n8") && in.type == ptx::Type::b16 && count != 0 &&
                     (space == MemorySpace::shared || space == MemorySpace::generic);
  std::vector<ptx::Operand> to = e.operand(0).elements;
  if (e.operand(0).kind == Kind::reg) to = {e.operand(0)};
  if (!known || to.size() != count) return e.refuse("this form of it is not supported");
  Instr instr;
  if (!decodeAddress(e, e.operand(1), instr)) return;
  uint32_t* rows[] = {&instr.d, &instr.a, &instr.b, &instr.c};
  for (size_t i = 0; i < count; ++i) *rows[i] = e.write(to[i], Lane::u32);
  instr.op = loadMatrix;
  instr.space = *space;
  instr.elements = count;
  instr.bytes = 16;
  instr.isMatrix = true;
  instr.isTransposed = in.has("trans");
  instr.address = repeatAddresses(e, instr);
  e.emitMemory(instr);
}

/// isspacep: a generic address is in a state space if it is in that space's window.
void isInSpace(Emitter& e) {
  const ptx::Instruction& in = e.instruction();
  uint64_t start = 0;
  if (in.has("shared") || in.has("shared::cta") || in.has("shared::cluster")) start = kSharedWindow;
  if (in.has("local")) start = kLocalWindow;
  if (in.has("param") || in.has("param::entry")) start = kParamWindow;
  if (in.has("global")) start = kGlobalStart;
  if (start == 0) return e.refuse("this state space is not supported");
  const uint32_t address = e.read(e.operand(1), Lane::u64);
  const uint32_t d = e.write(e.operand(0), Lane::u32), offset = e.temporary();
  const uint64_t bytes = in.has("global") ? ~uint64_t{0} - kGlobalStart : kWindowBytes;
  e.emit(Op::sub, Lane::u64, offset, {.a = address, .b = e.constant(start, Lane::u64)});
  e.emit(e.engine().compare(Relation::lt, Lane::u64), d,
         {.a = offset, .b = e.constant(bytes, Lane::u64)}, false);
}

/// createpolicy: the interpreter ignores cache policies.
void policy(Emitter& e) {
  e.copy(e.write(e.operand(0), Lane::u64), e.constant(0, Lane::u64), true);
}

void noCopy(Emitter&) {}

}  // namespace

DecodeRoot decodeCopy(Opcode opcode) {
  switch (opcode) {
    case Opcode::cp:
      return copy;
    case Opcode::ldmatrix:
      return matrix;
    case Opcode::isspacep:
      return isInSpace;
    case Opcode::createpolicy:
      return policy;
    case Opcode::applypriority:
    case Opcode::discard:
    case Opcode::griddepcontrol:
      return noCopy;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
