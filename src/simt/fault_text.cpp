// SPDX-License-Identifier: Apache-2.0
#include "simt/fault_text.h"

#include <algorithm>
#include <cstring>

namespace tilestep::simt {
std::string hexText(uint64_t value) {
  std::string text;
  for (; value != 0 || text.empty(); value >>= 4)
    text.insert(text.begin(), "0123456789abcdef"[value & 15]);
  return "0x" + text;
}

uint32_t elementBytesOf(const Instr& instr) {
  return instr.isMatrix ? 2 : instr.bytes / instr.elements;
}

namespace {

struct Target {
  std::string name;
  uint64_t bytes = 0;
  int region = -1;     ///< Region of global memory.
  int64_t offset = 0;  ///< The access's offset from its start.
};

std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

Target globalTarget(const Setup& setup, uint64_t address) {
  constexpr uint64_t kBefore = kGlobalStart - (uint64_t{1} << (kGlobalStride - 1));
  if (address < kBefore) return {};
  const uint16_t index = setup.map.regionAt(std::max(address, kGlobalStart));
  if (index == kNoRegion) return {};
  const Region& region = setup.regions[index];
  const auto offset = static_cast<int64_t>(address - region.start);
  return {setup.regionNames[index], region.bytes, index, offset};
}

Target targetOf(const Setup& setup, MemorySpace space, uint64_t address) {
  const auto offset = static_cast<int64_t>(address);
  switch (space) {
    case MemorySpace::shared:
      return {"shared memory", setup.sharedBytes, -1, offset};
    case MemorySpace::local:
      return {"local memory", setup.program.localBytes, -1, offset};
    case MemorySpace::param:
      return {"the parameters", setup.parameterBlock.size(), -1, offset};
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

/// "[3][5]" of a matrix, "[35]" of an array, ", byte 140" if the elements are unknown.
std::string indexText(uint64_t offset, uint64_t columns, uint32_t elementBytes) {
  if (elementBytes == 0) return ", byte " + std::to_string(offset);
  const uint64_t element = offset / elementBytes;
  if (columns == 0) return "[" + std::to_string(element) + "]";
  return "[" + std::to_string(element / columns) + "][" + std::to_string(element % columns) + "]";
}

const Buffer* bufferOf(const Setup& setup, int region) {
  const auto& buffers = setup.request->buffers;
  const auto index = static_cast<size_t>(region);
  return region >= 0 && index < buffers.size() ? &buffers[index] : nullptr;
}

/// ": P[32][5] of 32 x 40", if the shape is known.
std::string elementText(const Setup& setup, const Target& target) {
  const Buffer* buffer = bufferOf(setup, target.region);
  if (buffer == nullptr || buffer->elementBytes == 0 || target.offset < 0) return {};
  const uint64_t elements = buffer->bytes / buffer->elementBytes;
  const std::string index =
      indexText(static_cast<uint64_t>(target.offset), buffer->columns, buffer->elementBytes);
  const std::string shape = buffer->columns == 0 ? std::to_string(elements)
                                                 : std::to_string(elements / buffer->columns) +
                                                       " x " + std::to_string(buffer->columns);
  return ": " + target.name + index + " of " + shape;
}

const trace::SharedArray* arrayAt(const Setup& setup, uint64_t offset) {
  for (const trace::SharedArray& array : setup.sharedArrays) {
    if (offset - array.offset < array.bytes) return &array;
  }
  return nullptr;
}

/// The shared variable that the access is meant for, or all of shared memory if it is unknown.
Target sharedTarget(const Setup& setup, const Instr& instr, Target target) {
  if (setup.program.sites.empty()) return target;
  const CheckSite& site = setup.program.sites[instr.site];
  const trace::SharedArray* array = arrayAt(setup, site.sharedBegin);
  if (site.sharedEnd == ~uint64_t{0} || array == nullptr) return target;
  const auto begin = static_cast<int64_t>(site.sharedBegin);
  return {array->name, site.sharedEnd - site.sharedBegin, -1, target.offset - begin};
}

/// Describes where a heap access of `bytes` bytes outside all allocations is.
std::string heapText(const Setup& setup, uint64_t offset, uint32_t bytes) {
  const auto piece = setup.heap.nearest(offset);
  if (!piece) return " lies in the device heap, outside every allocation";
  const std::string whole = "an allocation of " + bytesText(piece->bytes);
  if (offset < piece->offset) {
    return " begins " + bytesText(piece->offset - offset) + " before the start of " + whole;
  }
  const uint64_t at = offset - piece->offset;
  if (piece->freed && at < piece->bytes) {
    return " lies at byte " + std::to_string(at) + " of " + whole + " that was freed";
  }
  return " ends " + bytesText(at + bytes - piece->bytes) + " past the end of " + whole;
}

/// "byte 8 of an allocation of 64 bytes"; empty if the target is not in the heap.
std::string heapPlace(const Setup& setup, const Target& target) {
  const bool isHeap =
      target.region >= 0 && setup.regions[static_cast<size_t>(target.region)].given != nullptr;
  if (!isHeap) return {};
  const auto offset = static_cast<uint64_t>(target.offset);
  const auto piece = setup.heap.nearest(offset);
  if (!piece || offset < piece->offset) return {};
  return "byte " + std::to_string(offset - piece->offset) + " of an allocation of " +
         bytesText(piece->bytes);
}

}  // namespace

std::string describePlace(const Setup& setup, int region, uint64_t offset, uint32_t elementBytes) {
  if (region >= 0) {
    const Buffer* buffer = bufferOf(setup, region);
    const bool shaped = buffer != nullptr && buffer->elementBytes != 0;
    return setup.regionNames[static_cast<size_t>(region)] +
           indexText(offset, shaped ? buffer->columns : 0,
                     shaped ? buffer->elementBytes : elementBytes);
  }
  const trace::SharedArray* array = arrayAt(setup, offset);
  if (array == nullptr) return "shared memory" + indexText(offset, 0, 0);
  return array->name + indexText(offset - array->offset, array->columns, elementBytes);
}

std::string describeColumn(const Setup& setup, const Context& context, const Instr& instr,
                           uint32_t lane, uint64_t address) {
  const ColumnCheck& check = setup.program.sites[instr.site].column;
  int64_t rows = 0;
  std::memcpy(&rows, context.registers + check.row + lane * sizeof rows, sizeof rows);
  const auto offset = static_cast<int64_t>(address - setup.regions[check.region].start);
  const auto element = static_cast<int64_t>(check.rowBytes / check.width);
  const int64_t column = (offset - rows * static_cast<int64_t>(check.width)) / element;
  return "column " + std::to_string(column) + " of a " + std::to_string(check.width) +
         "-wide row " + (instr.isStore ? "writes " : "reads ") +
         describePlace(setup, static_cast<int>(check.region), static_cast<uint64_t>(offset), 0);
}

std::string describeAccess(const Setup& setup, const Instr& instr, AccessFault kind,
                           uint64_t address) {
  if (kind == AccessFault::unset) {
    return "A variable is used before it is given a value: its register was never written, and on "
           "a GPU it can hold anything";
  }
  if (kind == AccessFault::absent) {
    return "A shuffle reads a lane that does not take part in it, and the value is used: on a GPU "
           "it can be anything";
  }
  const std::string what = std::string(instr.isAtomic  ? "An atomic access"
                                       : instr.isStore ? "A write"
                                                       : "A read") +
                           " of " + bytesText(instr.bytes);
  const Target whole = targetOf(setup, instr.space, address);
  Target target = whole;
  if (target.name == "shared memory") target = sharedTarget(setup, instr, target);
  if (target.name.empty()) return what + " at " + hexText(address) + " lies outside every buffer";
  if (kind == AccessFault::misaligned) {
    return what + " at byte " + std::to_string(target.offset) + " of " + target.name +
           " is not aligned to its size";
  }
  const bool wasStored = kind == AccessFault::valueless || kind == AccessFault::valuelessCopy;
  const bool isDoubt = kind == AccessFault::copied || kind == AccessFault::valuelessCopy;
  if (kind == AccessFault::uninitialised || wasStored || isDoubt) {
    const std::string ofHeap = heapPlace(setup, target);
    const std::string place =
        !ofHeap.empty() ? ofHeap
        : target.name == "local memory"
            ? target.name + indexText(static_cast<uint64_t>(target.offset), 0, 0)
            : describePlace(setup, target.region, static_cast<uint64_t>(whole.offset),
                            elementBytesOf(instr));
    const char* found = wasStored ? " finds a copy of a value that was never set: "
                        : target.name == "local memory" ? " finds a value that was never set: "
                                                        : " finds memory that was never written: ";
    return what + found + place +
           (isDoubt ? "; that is correct only if the value is never used" : "");
  }
  if (kind == AccessFault::outsideAllocation) {
    return what + heapText(setup, static_cast<uint64_t>(target.offset), instr.bytes);
  }
  if (kind == AccessFault::readOnly || kind == AccessFault::input)
    return what + " to " + target.name + ", which the kernel may only read";
  if (target.offset < 0) {
    return what + " begins " + bytesText(static_cast<uint64_t>(-target.offset)) +
           " before the start of " + target.name + elementText(setup, target);
  }
  const uint64_t end = static_cast<uint64_t>(target.offset) + instr.bytes;
  // A small negative number that is converted to a 32-bit unsigned type is at least this large.
  constexpr uint64_t kWrapped = (uint64_t{1} << 32) - (uint64_t{1} << 20);
  const bool isWrapped = elementBytesOf(instr) != 0 &&
                         static_cast<uint64_t>(target.offset) / elementBytesOf(instr) >= kWrapped;
  return what + " ends " + bytesText(end - target.bytes) + " past the end of " + target.name +
         ", which has " + bytesText(target.bytes) + elementText(setup, target) +
         (isWrapped
              ? "; a negative number becomes such a large index when it is converted to unsigned"
              : "");
}

}  // namespace tilestep::simt
