// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/structure.h"

#include <algorithm>

namespace tilestep::compile {
namespace {

uint64_t roundedUp(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

uint64_t bytesOf(const FieldSpec& field) {
  return field.pointer.empty() ? tilestep::bytesOf(field.type) : 8;
}

StructureLayout layoutOf(const OperandSpec& operand) {
  StructureLayout layout;
  uint64_t end = 0, align = operand.align > 0 ? static_cast<uint64_t>(operand.align) : 1;
  for (const FieldSpec& field : operand.fields) {
    const uint64_t size = bytesOf(field);
    const bool placed = field.offset >= 0;
    layout.offsets.push_back(placed ? static_cast<uint64_t>(field.offset) : roundedUp(end, size));
    end = std::max(end, layout.offsets.back() + size);
    align = std::max(align, size);
  }
  layout.bytes = roundedUp(end, align);
  return layout;
}

}  // namespace tilestep::compile
