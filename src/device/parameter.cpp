// SPDX-License-Identifier: Apache-2.0
#include "device/parameter.h"

#include <cstring>

#include "device/half.h"

namespace tilestep::device {

uint64_t scalarBits(ElementType type, double value) {
  uint64_t bits = 0;
  const auto keep = [&bits](auto number) { std::memcpy(&bits, &number, sizeof number); };
  switch (type) {
    case ElementType::f32:
      keep(static_cast<float>(value));
      break;
    case ElementType::f64:
      keep(value);
      break;
    case ElementType::f16:
      keep(toF16(static_cast<float>(value)));
      break;
    case ElementType::bf16:
      keep(toBf16(static_cast<float>(value)));
      break;
    default:
      bits = static_cast<uint64_t>(static_cast<int64_t>(value));
  }
  return bits;
}

std::vector<std::byte> structureOf(const Operand& operand,
                                   const std::function<uint64_t(size_t)>& addressOf) {
  std::vector<std::byte> bytes(operand.structureBytes);
  for (const Field& field : operand.fields) {
    const bool pointer = field.pointsTo >= 0;
    const uint64_t bits = pointer ? addressOf(static_cast<size_t>(field.pointsTo))
                                  : scalarBits(field.type, field.value);
    const size_t size = pointer ? sizeof bits : bytesOf(field.type);
    if (field.offset + size > bytes.size()) continue;
    std::memcpy(bytes.data() + field.offset, &bits, size);
  }
  return bytes;
}

}  // namespace tilestep::device
