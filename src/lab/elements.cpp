// SPDX-License-Identifier: Apache-2.0
#include "lab/elements.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "device/fill.h"

namespace tilestep::lab {
namespace {

template <class T>
double read(const std::byte* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return static_cast<double>(value);
}

uint16_t bits16(const std::byte* data) {
  uint16_t bits = 0;
  std::memcpy(&bits, data, sizeof bits);
  return bits;
}

double halfAsDouble(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 31) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024, exponent - 25);
}

double bfloatAsDouble(uint16_t bits) {
  return std::bit_cast<float>(uint32_t{bits} << 16);
}

void append(ElementType type, std::span<const std::byte> bytes, std::vector<double>& values) {
  const size_t width = bytesOf(type);
  for (size_t at = 0; at + width <= bytes.size(); at += width)
    values.push_back(elementAsDouble(type, bytes.data() + at));
}

}  // namespace

double elementAsDouble(ElementType type, const std::byte* data) {
  switch (type) {
    case ElementType::f32:
      return read<float>(data);
    case ElementType::f64:
      return read<double>(data);
    case ElementType::f16:
      return halfAsDouble(bits16(data));
    case ElementType::bf16:
      return bfloatAsDouble(bits16(data));
    case ElementType::i8:
      return read<int8_t>(data);
    case ElementType::u8:
      return read<uint8_t>(data);
    case ElementType::i32:
      return read<int32_t>(data);
    case ElementType::u32:
      return read<uint32_t>(data);
    case ElementType::i64:
      return read<int64_t>(data);
    case ElementType::u64:
      return read<uint64_t>(data);
  }
  return NAN;
}

std::vector<double> elementsAsDoubles(ElementType type, std::span<const std::byte> bytes) {
  return *elementsAsDoubles(type, bytes, {});
}

std::optional<std::vector<double>> elementsAsDoubles(ElementType type,
                                                     std::span<const std::byte> bytes,
                                                     const device::Cancelled& stop) {
  const size_t piece = device::kPieceBytes / bytesOf(type) * bytesOf(type);
  std::vector<double> values;
  values.reserve(bytes.size() / bytesOf(type));
  for (size_t at = 0; at < bytes.size(); at += piece) {
    if (stop && stop()) return std::nullopt;
    append(type, bytes.subspan(at, std::min(piece, bytes.size() - at)), values);
  }
  return values;
}

std::optional<std::vector<double>> inputAsDoubles(const device::Operand& operand,
                                                  uint32_t operandIndex, uint64_t seed,
                                                  const device::Cancelled& stop) {
  std::vector<double> values;
  values.reserve(operand.elements);
  const bool whole = device::fillPieces(
      operand, operandIndex, seed, stop,
      [&](uint64_t, std::span<const std::byte> bytes) { append(operand.type, bytes, values); });
  if (!whole) return std::nullopt;
  return values;
}

bool isFloatingPoint(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::f16 ||
         type == ElementType::bf16;
}

double wrapped(ElementType type, double sum) {
  const double range = std::ldexp(1.0, static_cast<int>(8 * bytesOf(type)));
  const bool isSigned =
      type == ElementType::i8 || type == ElementType::i32 || type == ElementType::i64;
  const double low = isSigned ? -range / 2 : 0;
  return sum - range * std::floor((sum - low) / range);
}

double asStored(ElementType type, double value) {
  if (type == ElementType::f32) return static_cast<double>(static_cast<float>(value));
  return isFloatingPoint(type) ? value : wrapped(type, value);
}

}  // namespace tilestep::lab
