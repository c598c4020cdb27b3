// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/element.h"

namespace tilestep::lab {

/// The element at `data` as a double; 64-bit integers beyond 2^53 are rounded.
[[nodiscard]] double elementAsDouble(ElementType type, const std::byte* data);

/// All whole elements of `bytes`.
[[nodiscard]] std::vector<double> elementsAsDoubles(ElementType type,
                                                    std::span<const std::byte> bytes);

[[nodiscard]] bool isFloatingPoint(ElementType type);

/// What a sum of whole numbers is in `type`, which wraps around.
[[nodiscard]] double wrapped(ElementType type, double sum);

}  // namespace tilestep::lab
