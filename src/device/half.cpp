// SPDX-License-Identifier: Apache-2.0
#include "device/half.h"

#include <bit>
#include <cmath>

namespace tilestep::device {

uint16_t toF16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7e00);
  if (magnitude >= 65520.0F) return static_cast<uint16_t>(sign | 0x7c00);
  // Below 2^-14, binary16 numbers are multiples of 2^-24; above, of 2^-10 times their power of two.
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  if (magnitude < 0x1p-14F) {
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::nearbyint(magnitude * 0x1p24F)));
  }
  const float scaled = std::nearbyint(std::ldexp(magnitude, 11 - exponent));  // 1024 … 2048
  const int fields = ((exponent + 14) << 10) + static_cast<int>(scaled) - 1024;
  return static_cast<uint16_t>(sign | fields);
}

uint16_t toBf16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace tilestep::device
