// SPDX-License-Identifier: Apache-2.0
#include "device/captured.h"

#include <algorithm>
#include <cstring>

#include "ptx/ir.h"
#include "simt/machine.h"

namespace tilestep::device {
namespace {

bool areSpans(const std::vector<ByteSpan>& spans, uint64_t bytes) {
  uint64_t end = 0;
  for (const ByteSpan& span : spans) {
    if (span.begin < end || span.begin >= span.end || span.end > bytes) return false;
    end = span.end;
  }
  return true;
}

bool isWhole(const MemoryRange& range) {
  const uint64_t blocks = range.bytes / kMemoryBlockBytes + (range.bytes % kMemoryBlockBytes != 0);
  if (range.contents.size() != blocks) return false;
  for (uint64_t i = 0; i < blocks; ++i) {
    const uint64_t bytes = std::min(kMemoryBlockBytes, range.bytes - i * kMemoryBlockBytes);
    if (range.contents[i] != nullptr && range.contents[i]->size() != bytes) return false;
  }
  return areSpans(range.unset, range.bytes) && areSpans(range.read, range.bytes) &&
         areSpans(range.written, range.bytes);
}

}  // namespace

uint64_t CapturedLaunch::memoryBytes() const {
  uint64_t bytes = 0;
  for (const MemoryRange& range : ranges) bytes += range.bytes;
  return bytes;
}

void copyContents(const MemoryRange& range, uint64_t first, uint64_t bytes, std::byte* out) {
  while (bytes > 0) {
    const uint64_t at = first % kMemoryBlockBytes;
    const uint64_t count = std::min(bytes, kMemoryBlockBytes - at);
    const MemoryBlock& block = range.contents[first / kMemoryBlockBytes];
    if (block == nullptr)
      std::memset(out, 0, count);
    else
      std::memcpy(out, block->data() + at, count);
    first += count;
    out += count;
    bytes -= count;
  }
}

bool holdsAddresses(const ptx::Module& module) {
  const auto callsByAddress = [](const ptx::Instruction& i) {
    return i.opcode == ptx::Opcode::call &&
           std::ranges::any_of(i.operands, [](const ptx::Operand& operand) {
             return operand.kind == ptx::Operand::Kind::reg;
           });
  };
  return std::ranges::any_of(module.variables,
                             [](const auto& variable) { return !variable.references.empty(); }) ||
         std::ranges::any_of(module.functions, [&](const ptx::Function& function) {
           return std::ranges::any_of(function.body, callsByAddress);
         });
}

Status checkCaptured(const CapturedLaunch& launch) {
  constexpr uint64_t kEnd = simt::kGlobalStart + (simt::kCells << simt::kCellBits);
  if (!launch.hasContents) return workError("a captured launch has no contents");
  const ptx::Function* const entry =
      launch.module == nullptr ? nullptr : launch.module->find(launch.launch.entry);
  if (entry == nullptr || !entry->isEntry)
    return workError("a captured launch has no kernel " + launch.launch.entry);
  for (const ptx::Parameter& each : entry->parameters)
    if (launch.parameters.size() < each.offset + each.bytes())
      return workError("a captured launch has no parameters");
  uint64_t before = simt::kGlobalStart >> simt::kCellBits;
  for (const MemoryRange& range : launch.ranges) {
    const bool isPlaced = range.address >= simt::kGlobalStart && range.address < kEnd &&
                          range.bytes <= kEnd - range.address && range.address % 32 == 0;
    // Two ranges in one cell would be indistinguishable.
    if (!isPlaced || range.address >> simt::kCellBits < before)
      return workError("a captured launch has memory at an invalid address: " + range.name);
    before = ((range.address + range.bytes) >> simt::kCellBits) + 1;
    if (!isWhole(range))
      return workError("a captured launch does not have the contents of " + range.name);
  }
  return {};
}

}  // namespace tilestep::device
