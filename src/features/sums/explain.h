// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/element.h"
#include "features/names.h"

namespace tilestep::features {

/// Whether `sum` may be what adding `terms` in some order gives. Whole numbers must agree exactly,
/// modulo their range. Floating-point sums may differ by what the roundings of any order of
/// additions can amount to.
[[nodiscard]] bool isSumOf(ElementType type, const std::vector<uint64_t>& terms, uint64_t sum);

}  // namespace tilestep::features
