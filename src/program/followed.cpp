// SPDX-License-Identifier: Apache-2.0
#include "program/followed.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "program/answers.h"

namespace tilestep::program {
namespace {

constexpr uint64_t kWord = sizeof(uint64_t);

/// Whether the word may be a pointer from which the kernel computed the address.
bool leadsTo(uint64_t word, uint64_t address) {
  constexpr uint64_t kFar = uint64_t{1} << 26, kNoObject = 1 << 16;
  const uint64_t apart = word < address ? address - word : word - address;
  return word >= kNoObject && !isDeviceAddress(word) && apart < kFar;
}

/// The offset of the first such word; nothing if there is none.
std::optional<uint64_t> wordTo(uint64_t address, std::span<const uint8_t> bytes) {
  for (uint64_t at = 0; at + kWord <= bytes.size(); at += kWord) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, kWord);
    if (leadsTo(word, address)) return at;
  }
  return std::nullopt;
}

bool isIntegerExtreme(const ptx::Instruction& i) {
  const bool isAtomic = i.opcode == ptx::Opcode::atom || i.opcode == ptx::Opcode::red;
  const bool isWord = i.type == ptx::Type::u32 || i.type == ptx::Type::s32;
  return isAtomic && isWord && i.space != ptx::Space::shared && (i.has("min") || i.has("max"));
}

/// Whether a word looks like a float. Floats of ordinary size and the largest floats do, small
/// integers do not.
enum class Look : uint8_t { neither, positive, negative, other };

Look lookOf(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  constexpr float kLeast = 1e-12F, kMost = 1e12F;
  const float size = std::fabs(value);
  if (size == 0) return Look::neither;
  const bool isExtreme = bits == 0xff7fffff || bits == 0x7f7fffff || std::isinf(value);
  if (!isExtreme && !(size >= kLeast && size <= kMost)) return Look::other;
  return value < 0 ? Look::negative : Look::positive;
}

}  // namespace

std::optional<HostPointer> hostPointerTo(uint64_t address, std::span<const uint8_t> parameters,
                                         const Memory& memory) {
  const auto valueAt = [](const uint8_t* at) {
    uint64_t word = 0;
    std::memcpy(&word, at, kWord);
    return word;
  };
  if (const auto at = wordTo(address, parameters))
    return HostPointer{valueAt(parameters.data() + *at), 0};
  for (const auto& [start, allocation] : memory.all()) {
    if (allocation.freed || allocation.host == nullptr) continue;
    if (const auto at = wordTo(address, {allocation.host, allocation.bytes}))
      return HostPointer{valueAt(allocation.host + *at), start + *at};
  }
  return std::nullopt;
}

uint32_t floatAtomicLine(const ptx::Function& entry, const Uses& uses, Memory& memory) {
  const auto found = std::ranges::find_if(entry.body, isIntegerExtreme);
  if (found == entry.body.end()) return 0;
  bool hasNegative = false;
  size_t words = 0;
  for (const ByteRange& range : without(uses.orderedWrites, uses.plainWrites)) {
    const Allocation* const held = memory.holder(range.begin, range.end - range.begin);
    if (held == nullptr || range.begin % 4 != 0 || range.end % 4 != 0) return 0;
    for (uint64_t at = range.begin; at < range.end; at += 4) {
      uint32_t bits = 0;
      std::memcpy(&bits, held->host + (at - held->address), sizeof bits);
      const Look look = lookOf(bits);
      if (look == Look::other) return 0;
      hasNegative = hasNegative || look == Look::negative;
      ++words;
    }
  }
  return hasNegative && words > 0 ? found->outerLine.line : 0;
}

}  // namespace tilestep::program
