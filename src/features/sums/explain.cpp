// SPDX-License-Identifier: Apache-2.0
#include "features/sums/explain.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/text/step_text.h"

namespace tilestep::features {
namespace {

bool isExactSum(ElementType type, const std::vector<uint64_t>& terms, uint64_t sum) {
  uint64_t added = 0;
  for (const uint64_t term : terms) added += term;
  const size_t bits = 8 * bytesOf(type);
  const uint64_t mask = bits < 64 ? (uint64_t{1} << bits) - 1 : ~uint64_t{0};
  return (added & mask) == (sum & mask);
}

/// Half a unit in the last place of 1. It bounds the relative error of one addition.
double roundingOf(ElementType type) {
  switch (type) {
    case ElementType::f64:
      return std::ldexp(1, -53);
    case ElementType::f16:
      return std::ldexp(1, -11);
    case ElementType::bf16:
      return std::ldexp(1, -8);
    default:
      return std::ldexp(1, -24);
  }
}

bool isFloatingPoint(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::f16 ||
         type == ElementType::bf16;
}

}  // namespace

bool isSumOf(ElementType type, const std::vector<uint64_t>& terms, uint64_t sum) {
  if (terms.empty()) return false;
  if (terms.size() == 1 || !isFloatingPoint(type)) return isExactSum(type, terms, sum);
  double added = 0, size = 0;
  for (const uint64_t term : terms) {
    added += valueOf(type, term);
    size += std::fabs(valueOf(type, term));
  }
  // n - 1 additions, each with an error of at most the rounding, relative to the partial sum.
  const double error = static_cast<double>(terms.size()) * roundingOf(type);
  return std::fabs(added - valueOf(type, sum)) <= error * size;
}

}  // namespace tilestep::features
