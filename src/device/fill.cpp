// SPDX-License-Identifier: Apache-2.0
#include "device/fill.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <thread>

#include "base/hash.h"
#include "base/process/threads.h"
#include "device/device.h"
#include "device/half.h"

namespace tilestep::device {
namespace {

/// The value of element `index` before conversion to T: a hash, or a small number.
struct Source {
  uint64_t start;  ///< seed + (operand << 48)
  Fill fill;
};

double smallNumber(const Source& source, uint64_t index) {
  if (source.fill == Fill::ones) return 1;
  return source.fill == Fill::index ? static_cast<double>(index) : 0;
}

/// 24 bits of the hash as a float in [-1, 1), exact.
template <class T>
T unitOf(uint64_t hash) {
  return static_cast<T>(static_cast<int64_t>(hash >> 40)) * T(0x1p-23) - T(1);
}

/// 8 bits of the hash in [-1, 1), exact in every half type.
float coarseUnitOf(uint64_t hash) {
  return static_cast<float>(hash >> 56) * 0x1p-7F - 1.0F;
}

template <class T, class Random, class Plain>
void fillRange(const Source& source, uint64_t first, uint64_t last, std::byte* out, Random random,
               Plain plain) {
  if (source.fill == Fill::random || source.fill == Fill::wide) {
    for (uint64_t i = first; i < last; ++i) {
      const T value = random(splitmix64(source.start + i));
      std::memcpy(out + i * sizeof(T), &value, sizeof(T));
    }
    return;
  }
  for (uint64_t i = first; i < last; ++i) {
    const T value = plain(smallNumber(source, i), i);
    std::memcpy(out + i * sizeof(T), &value, sizeof(T));
  }
}

template <class T>
void fillFloats(const Source& source, uint64_t first, uint64_t last, std::byte* out) {
  fillRange<T>(source, first, last, out, unitOf<T>,
               [](double value, uint64_t) { return static_cast<T>(value); });
}

template <class T>
void fillIntegers(const Source& source, bool isSigned, uint64_t first, uint64_t last,
                  std::byte* out) {
  const bool counts = source.fill == Fill::index;
  // 32 bits at most, because references compute in doubles, which represent 32 bits exactly.
  const uint64_t mask = source.fill == Fill::wide ? 0xffffffff : 255;
  const uint64_t sign = source.fill == Fill::wide && isSigned ? uint64_t{1} << 31 : 0;
  fillRange<T>(
      source, first, last, out,
      [=](uint64_t hash) { return static_cast<T>((hash & mask) - (hash & sign) * 2); },
      [counts](double value, uint64_t i) {
        return counts ? static_cast<T>(i) : static_cast<T>(value);
      });
}

void fillHalves(const Source& source, uint64_t first, uint64_t last, std::byte* out,
                uint16_t (*encode)(float)) {
  fillRange<uint16_t>(
      source, first, last, out, [encode](uint64_t hash) { return encode(coarseUnitOf(hash)); },
      [encode](double value, uint64_t) { return encode(static_cast<float>(value)); });
}

/// Fills elements [first, last); `out` is the operand's start.
void fillTyped(ElementType type, const Source& source, uint64_t first, uint64_t last,
               std::byte* out) {
  switch (type) {
    case ElementType::f32:
      return fillFloats<float>(source, first, last, out);
    case ElementType::f64:
      return fillFloats<double>(source, first, last, out);
    case ElementType::f16:
      return fillHalves(source, first, last, out, toF16);
    case ElementType::bf16:
      return fillHalves(source, first, last, out, toBf16);
    case ElementType::i8:
    case ElementType::u8:
      return fillIntegers<uint8_t>(source, false, first, last, out);
    case ElementType::i32:
    case ElementType::u32:
      return fillIntegers<uint32_t>(source, false, first, last, out);
    case ElementType::i64:
    case ElementType::u64:
      return fillIntegers<uint64_t>(source, type == ElementType::i64, first, last, out);
  }
}

void copyContents(const Operand& operand, uint64_t first, uint64_t count, std::byte* out) {
  const uint64_t width = bytesOf(operand.type);
  std::memcpy(out, operand.contents->data() + first * width, count * width);
}

Source sourceOf(const Operand& operand, uint32_t operandIndex, uint64_t seed) {
  return {seed + (uint64_t{operandIndex} << 48), operand.fill};
}

}  // namespace

void fillElement(const Operand& operand, uint32_t operandIndex, uint64_t index, uint64_t seed,
                 std::byte* out) {
  if (operand.contents != nullptr) return copyContents(operand, index, 1, out);
  std::byte* start = out - index * bytesOf(operand.type);
  fillTyped(operand.type, sourceOf(operand, operandIndex, seed), index, index + 1, start);
}

void fillElements(const Operand& operand, uint32_t operandIndex, uint64_t first, uint64_t count,
                  uint64_t seed, std::byte* out) {
  if (operand.contents != nullptr) return copyContents(operand, first, count, out);
  const Source source = sourceOf(operand, operandIndex, seed);
  std::byte* start = out - first * bytesOf(operand.type);
  constexpr uint64_t kWorthAThread = 1 << 20;
  const uint64_t parts = std::clamp<uint64_t>(count / kWorthAThread, 1,
                                              std::max(1U, std::thread::hardware_concurrency()));
  std::atomic<uint64_t> next{0};
  onThreads(static_cast<unsigned>(parts), [&](unsigned) {
    for (uint64_t part = next++; part < parts; part = next++) {
      fillTyped(operand.type, source, first + count * part / parts,
                first + count * (part + 1) / parts, start);
    }
  });
}

bool resizeUnlessStopped(std::vector<std::byte>& bytes, uint64_t size, std::byte value,
                         const Cancelled& stop) {
  bytes.reserve(size);
  while (bytes.size() < size) {
    if (stop && stop()) return false;
    bytes.resize(std::min<uint64_t>(size, bytes.size() + kPieceBytes), value);
  }
  return true;
}

bool fillPieces(const Operand& operand, uint32_t operandIndex, uint64_t seed, const Cancelled& stop,
                const std::function<void(uint64_t first, std::span<const std::byte> bytes)>& take) {
  const uint64_t width = bytesOf(operand.type), most = kPieceBytes / width;
  std::vector<std::byte> piece;
  for (uint64_t first = 0; first < operand.elements; first += most) {
    if (stop && stop()) return false;
    const uint64_t count = std::min(most, operand.elements - first);
    piece.resize(count * width);
    fillElements(operand, operandIndex, first, count, seed, piece.data());
    take(first, piece);
  }
  return true;
}

std::optional<std::vector<std::byte>> fillOperand(const Operand& operand, uint32_t operandIndex,
                                                  uint64_t seed, std::byte poison,
                                                  const Cancelled& stop) {
  std::vector<std::byte> bytes;
  if (operand.direction == Direction::out) {
    if (!resizeUnlessStopped(bytes, operand.bytes(), poison, stop)) return std::nullopt;
    return bytes;
  }
  // Each piece is filled at once, while its newly allocated pages are in the caches.
  const uint64_t width = bytesOf(operand.type), most = kPieceBytes / width;
  bytes.reserve(operand.bytes());
  for (uint64_t first = 0; first < operand.elements; first += most) {
    if (stop && stop()) return std::nullopt;
    const uint64_t count = std::min(most, operand.elements - first);
    bytes.resize((first + count) * width);
    fillElements(operand, operandIndex, first, count, seed, bytes.data() + first * width);
  }
  return bytes;
}

std::vector<std::byte> fillOperand(const Operand& operand, uint32_t operandIndex, uint64_t seed,
                                   std::byte poison) {
  return *fillOperand(operand, operandIndex, seed, poison, {});
}

}  // namespace tilestep::device
