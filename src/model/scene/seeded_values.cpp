// SPDX-License-Identifier: Apache-2.0
#include "model/scene/seeded_values.h"

#include <algorithm>
#include <array>

#include "lab/elements.h"
#include "lab/job.h"

namespace tilestep::model {

SeededValues::SeededValues(const compile::ResolvedOperand& operand, uint32_t index, uint64_t seed)
    : operand_(lab::operandOf(operand)), index_(index), seed_(seed) {}

void SeededValues::read(uint64_t first, uint64_t count, float* out) const {
  if (operand_.type == ElementType::f32) {
    return device::fillElements(operand_, index_, first, count, seed_,
                                reinterpret_cast<std::byte*>(out));
  }
  constexpr uint64_t kAtOnce = 512;
  const uint64_t width = bytesOf(operand_.type);
  std::array<std::byte, kAtOnce * 8> bytes;
  for (uint64_t done = 0; done < count; done += kAtOnce) {
    const uint64_t some = std::min(kAtOnce, count - done);
    device::fillElements(operand_, index_, first + done, some, seed_, bytes.data());
    for (uint64_t i = 0; i < some; ++i)
      out[done + i] =
          static_cast<float>(lab::elementAsDouble(operand_.type, bytes.data() + i * width));
  }
}

bool SeededValues::sameAs(const SeededValues& other) const {
  return index_ == other.index_ && seed_ == other.seed_ && operand_.type == other.operand_.type &&
         operand_.fill == other.operand_.fill && operand_.columns == other.operand_.columns &&
         operand_.elements == other.operand_.elements;
}

}  // namespace tilestep::model
