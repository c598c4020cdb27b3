// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/element.h"
#include "features/names.h"

namespace tilestep::features {

/// Whether `sum` can be the result of adding `terms` in some order. Integers must be equal modulo
/// their range. Floating-point sums may differ by the rounding errors of any order of additions.
[[nodiscard]] bool isSumOf(ElementType type, const std::vector<uint64_t>& terms, uint64_t sum);

}  // namespace tilestep::features
