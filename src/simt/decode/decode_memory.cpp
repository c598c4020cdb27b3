// SPDX-License-Identifier: Apache-2.0
// Decodes ld and st.
#include "simt/decode/memory_operand.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

/// Half types and pairs of half types are moved as integers of the same size.
Lane memoryLaneOf(ptx::Type type) {
  if (const Lane lane = laneOf(type); lane != Lane::none) return lane;
  return ptx::bytesOf(type) == 2 ? Lane::u16 : ptx::bytesOf(type) == 4 ? Lane::u32 : Lane::none;
}

uint32_t& dataRow(Instr& instr, size_t element) {
  uint32_t* rows[] = {&instr.d, &instr.a, &instr.b, &instr.c};
  return *rows[element];
}

/// Fills space, elements and bytes of `instr`. Returns false if the access is rejected.
bool describe(Emitter& e, Instr& instr, size_t elements, Lane lane) {
  allowAccess(e, {});
  const auto space = memorySpaceOf(e.instruction().space);
  if (!space || lane == Lane::none) {
    e.refuse("its type or space is not supported");
    return false;
  }
  if (elements != 1 && elements != 2 && elements != 4) {
    e.refuse("a vector of " + std::to_string(elements) + " is not supported");
    return false;
  }
  instr.space = *space;
  instr.elements = static_cast<uint8_t>(elements);
  instr.bytes = static_cast<uint8_t>(elements * bytesOf(lane));
  return true;
}

/// Decodes ld.param of a name, whose value is the same for all lanes and known before the launch.
/// Returns false for other instructions.
bool loadParameter(Emitter& e, const std::vector<ptx::Operand>& to, Lane lane) {
  const ptx::Operand& from = e.operand(1);
  if (e.instruction().space != ptx::Space::param || from.kind != Kind::address ||
      from.reg != ptx::kNone || from.name.empty()) {
    return false;
  }
  const Symbols::Place* place = e.find(from.name);
  if (place == nullptr || place->space != ptx::Space::param) return false;
  auto offset = static_cast<uint32_t>(place->address + static_cast<uint64_t>(from.offset));
  for (const ptx::Operand& element : to) {
    if (element.kind == Kind::reg) {
      const bool wide = e.isWideRegister(element);
      e.copy(e.rowOf(element.reg), e.parameter(offset, lane, wide), wide);
    }
    offset += bytesOf(lane);
  }
  return true;
}

/// Decodes ld.param and st.param of a call's parameters or of the function's own. Returns false if
/// the instruction accesses other memory.
bool moveCells(Emitter& e, const ptx::Operand& place, const std::vector<ptx::Operand>& elements,
               Lane lane, bool store) {
  const bool named = e.instruction().space == ptx::Space::param && place.kind == Kind::address &&
                     place.reg == ptx::kNone && place.elements.empty();
  const Cells* cells = named ? e.cells(place.name) : nullptr;
  if (cells == nullptr) return false;
  auto offset = static_cast<uint64_t>(place.offset);
  for (const ptx::Operand& element : elements) {
    if (offset % bytesOf(lane) != 0 || offset + bytesOf(lane) > cells->bytes) {
      e.refuse("it reaches past the parameter");
      return true;
    }
    const bool wide = element.kind == Kind::reg ? e.isWideRegister(element) : isWide(lane);
    const Lane as = wide ? Lane::u64 : lane == Lane::u64 ? Lane::u64 : lane;
    const auto at = static_cast<uint32_t>(cells->row + offset / 8 * kWideRow + offset % 8);
    offset += bytesOf(lane);
    Instr instr;
    instr.op = e.engine().cells(lane, wide, store);
    if (store) {
      instr.d = at;
      instr.a = e.read(element, as);
      e.emitOfWarp(instr);
    } else if (element.kind != Kind::sink) {
      e.emit(instr.op, e.write(element, wide ? Lane::u64 : Lane::u32), {.a = at}, wide);
    }
  }
  return true;
}

void load(Emitter& e) {
  const Lane lane = memoryLaneOf(e.instruction().type);
  const auto to = elementsOf(e.operand(0));
  Instr instr;
  if (!describe(e, instr, to.size(), lane)) return;
  if (moveCells(e, e.operand(1), to, lane, false)) return;
  if (loadParameter(e, to, lane)) return;
  if (!decodeAddress(e, e.operand(1), instr)) return;
  bool wideRow = isWide(lane);
  for (const ptx::Operand& element : to) {
    if (element.kind == Kind::reg) wideRow = e.isWideRegister(element);
  }
  for (size_t i = 0; i < to.size(); ++i) {
    const bool sink = to[i].kind == Kind::sink;
    dataRow(instr, i) = sink ? e.temporary() : e.write(to[i], wideRow ? Lane::u64 : Lane::u32);
  }
  instr.wideResult = wideRow;
  instr.target = instr.d;
  instr.op = e.engine().load(lane, wideRow, instr.wideAddress);
  instr.patterned = true;
  e.emitMemory(instr);
}

void store(Emitter& e) {
  const Lane lane = memoryLaneOf(e.instruction().type);
  const auto from = elementsOf(e.operand(1));
  Instr instr;
  if (!describe(e, instr, from.size(), lane)) return;
  if (moveCells(e, e.operand(0), from, lane, true)) return;
  if (!decodeAddress(e, e.operand(0), instr)) return;
  bool wideRow = isWide(lane);
  for (const ptx::Operand& element : from) wideRow = wideRow || e.isWideRegister(element);
  for (size_t i = 0; i < from.size(); ++i) {
    // A register wider than the type is read whole. An immediate is read with the rows' width.
    const bool reg = from[i].kind == Kind::reg;
    const Lane as = reg && wideRow ? Lane::u64 : wideRow && !reg ? Lane::u64 : lane;
    dataRow(instr, i) = e.read(from[i], as);
  }
  instr.isStore = true;
  instr.wideResult = wideRow;
  instr.op = e.engine().store(lane, wideRow, instr.wideAddress);
  instr.patterned = true;
  e.emitMemory(instr);
}

}  // namespace

DecodeRoot decodeMemory(Opcode opcode) {
  switch (opcode) {
    case Opcode::ld:
    case Opcode::ldu:
      return load;
    case Opcode::st:
      return store;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt
