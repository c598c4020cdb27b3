// SPDX-License-Identifier: Apache-2.0
#include "simt/decode/memory_operand.h"

#include <algorithm>

#include "ptx/names.h"

namespace tilestep::simt {

namespace {

using Kind = ptx::Operand::Kind;

}  // namespace

std::optional<MemorySpace> memorySpaceOf(ptx::Space space) {
  switch (space) {
    case ptx::Space::global:
      return MemorySpace::global;
    case ptx::Space::shared:
      return MemorySpace::shared;
    case ptx::Space::local:
      return MemorySpace::local;
    case ptx::Space::constant:
      return MemorySpace::constant;
    case ptx::Space::param:
      return MemorySpace::param;
    case ptx::Space::generic:
    case ptx::Space::none:
      return MemorySpace::generic;
  }
  return std::nullopt;
}

bool decodeAddress(Emitter& e, const ptx::Operand& operand, Instr& instr) {
  if (operand.kind != Kind::address || !operand.elements.empty()) {
    e.refuse("an address of this form is not supported");
    return false;
  }
  instr.offset = operand.offset;
  if (operand.reg != ptx::kNone) {
    ptx::Operand reg;
    reg.kind = Kind::reg;
    reg.reg = operand.reg;
    instr.wideAddress = e.isWideRegister(reg);
    instr.address = e.rowOf(operand.reg);
    return true;
  }
  uint64_t base = 0;
  if (!operand.name.empty()) {
    const Symbols::Place* place = e.find(operand.name);
    if (place == nullptr) {
      e.refuse("the address of " + operand.name + " is not supported here");
      return false;
    }
    if (place->ofCall) {
      instr.address = e.addressOfCall(place->address);
      return true;
    }
    base = place->address;
  }
  instr.address = e.constant(base, Lane::u64);
  return true;
}

void allowAccess(Emitter& e, std::initializer_list<std::string_view> words) {
  static constexpr std::string_view kWords[] = {
      "v2",   "v4",  "weak",    "volatile", "relaxed", "acquire", "release", "acq_rel",
      "mmio", "cta", "cluster", "gpu",      "sys",     "nc",      "unified", "ca",
      "cg",   "cs",  "lu",      "cv",       "wb",      "wt"};
  for (const std::string& suffix : e.instruction().suffixes) {
    const auto isIt = [&](std::string_view word) { return word == suffix; };
    if (ptx::typeOf(suffix) || ptx::spaceOf(suffix) || suffix.starts_with("L1::") ||
        suffix.starts_with("L2::") || std::ranges::any_of(kWords, isIt) ||
        std::ranges::any_of(words, isIt))
      continue;
    e.refuse("." + suffix + " is not supported here");
  }
}

}  // namespace tilestep::simt
