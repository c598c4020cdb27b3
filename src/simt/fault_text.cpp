// SPDX-License-Identifier: Apache-2.0
#include "simt/fault_text.h"

namespace tilestep::simt {
namespace {

struct Target {
  std::string name;
  uint64_t bytes = 0;
  int64_t offset = 0;  ///< Of the access, from its start.
};

std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

std::string hexText(uint64_t value) {
  std::string text;
  for (; value != 0 || text.empty(); value >>= 4)
    text.insert(text.begin(), "0123456789abcdef"[value & 15]);
  return "0x" + text;
}

/// The buffer whose start is nearest below, or just above, a global address.
Target globalTarget(const Setup& setup, uint64_t address) {
  const uint64_t half = uint64_t{1} << (kGlobalStride - 1);
  const uint64_t index = (address + half - kGlobalStart) >> kGlobalStride;
  for (const uint64_t i : {(address - kGlobalStart) >> kGlobalStride, index}) {
    if (i >= setup.regions.size()) continue;
    const Region& region = setup.regions[i];
    const auto offset = static_cast<int64_t>(address - region.start);
    const auto slack = static_cast<int64_t>(half);
    if (offset < static_cast<int64_t>(region.bytes) + slack && offset > -slack) {
      return {setup.regionNames[i], region.bytes, offset};
    }
  }
  return {};
}

Target targetOf(const Setup& setup, MemorySpace space, uint64_t address) {
  const auto offset = static_cast<int64_t>(address);
  switch (space) {
    case MemorySpace::shared:
      return {"shared memory", setup.sharedBytes, offset};
    case MemorySpace::local:
      return {"local memory", setup.program.localBytes, offset};
    case MemorySpace::param:
      return {"the parameters", setup.parameterBlock.size(), offset};
    default:
      break;
  }
  if (space == MemorySpace::generic && address < kGlobalStart) {
    if (address - kSharedWindow < kWindowBytes) {
      return targetOf(setup, MemorySpace::shared, address - kSharedWindow);
    }
    if (address - kLocalWindow < kWindowBytes) {
      return targetOf(setup, MemorySpace::local, address - kLocalWindow);
    }
    if (address - kParamWindow < kWindowBytes) {
      return targetOf(setup, MemorySpace::param, address - kParamWindow);
    }
  }
  return globalTarget(setup, address);
}

}  // namespace

std::string describeAccess(const Setup& setup, const Instr& instr, AccessFault kind,
                           uint64_t address) {
  const std::string what = std::string(instr.isAtomic  ? "An atomic access"
                                       : instr.isStore ? "A write"
                                                       : "A read") +
                           " of " + bytesText(instr.bytes);
  const Target target = targetOf(setup, instr.space, address);
  if (target.name.empty()) return what + " at " + hexText(address) + " meets no buffer";
  if (kind == AccessFault::misaligned) {
    return what + " at byte " + std::to_string(target.offset) + " of " + target.name +
           " is not aligned to its size";
  }
  if (kind == AccessFault::readOnly) return what + " to " + target.name + ", which is read-only";
  if (target.offset < 0) {
    return what + " begins " + bytesText(static_cast<uint64_t>(-target.offset)) +
           " before the start of " + target.name;
  }
  const uint64_t end = static_cast<uint64_t>(target.offset) + instr.bytes;
  return what + " ends " + bytesText(end - target.bytes) + " past the end of " + target.name +
         ", which has " + bytesText(target.bytes);
}

}  // namespace tilestep::simt
