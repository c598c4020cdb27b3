// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_access.h"

#include <algorithm>

namespace tilestep::ptx {

std::optional<Access> accessOf(const Instruction& instruction) {
  const bool isLoad = instruction.opcode == Opcode::ld || instruction.opcode == Opcode::ldu;
  const bool isStore = instruction.opcode == Opcode::st;
  const Operand* address = addressOf(instruction);
  if ((!isLoad && !isStore) || address == nullptr) return {};
  const Space space = instruction.space == Space::none ? Space::generic : instruction.space;
  if (space != Space::global && space != Space::shared && space != Space::generic) return {};
  Access access;
  access.space = space;
  access.isStore = isStore;
  access.width = bytesOf(instruction.type) * std::max<uint32_t>(instruction.vectorWidth, 1);
  access.address = address;
  return access;
}

bool isBarrier(const Instruction& instruction) {
  return isBlockBarrier(instruction) && (instruction.has("sync") || instruction.has("red"));
}

std::optional<Count> arithmeticOf(const Instruction& instruction) {
  if (instruction.type != Type::f32) return {};
  switch (instruction.opcode) {
    case Opcode::fma:
    case Opcode::mad:
      return Count::ffma;
    case Opcode::add:
    case Opcode::sub:
      return Count::fadd;
    case Opcode::mul:
      return Count::fmul;
    default:
      return {};
  }
}

uint32_t sharedUnit(uint32_t width) {
  return std::max<uint32_t>(width, 4);
}

AccessColumns columnsOf(Space space, bool isStore, uint32_t width) {
  AccessColumns columns;
  if (space == Space::global) {
    columns.threads = {{isStore ? Count::globalStoreThreads : Count::globalLoadThreads, 1},
                       {isStore ? Count::globalStoreBytes : Count::globalLoadBytes, width}};
    columns.requests = {{isStore ? Count::globalStoreRequests : Count::globalLoadRequests, 1}};
    columns.first = {{isStore ? Count::globalStoreSectors : Count::globalLoadSectors, 1}};
    columns.second = {
        {isStore ? Count::globalStoreDistinctBytes : Count::globalLoadDistinctBytes, width}};
    return columns;
  }
  const Count requests = isStore ? Count::sharedStoreRequests : Count::sharedLoadRequests;
  const Count conflicts =
      isStore ? Count::sharedStoreBankConflicts : Count::sharedLoadBankConflicts;
  columns.requests = {{requests, 1}};
  columns.first = {{isStore ? Count::sharedStoreWavefronts : Count::sharedLoadWavefronts, 1},
                   {conflicts, 1}};
  // 32 lanes of one 4-byte unit never need a second wavefront; wider accesses state what they need.
  if (sharedUnit(width) == 4) {
    columns.requests.push_back({conflicts, -1});
  } else {
    columns.second = {{conflicts, -1}};
  }
  return columns;
}

}  // namespace tilestep::ptx
