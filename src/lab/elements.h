// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/element.h"
#include "device/device.h"

namespace tilestep::lab {

/// The element at `data` as a double; 64-bit integers beyond 2^53 are rounded.
[[nodiscard]] double elementAsDouble(ElementType type, const std::byte* data);

/// All whole elements of `bytes`.
[[nodiscard]] std::vector<double> elementsAsDoubles(ElementType type,
                                                    std::span<const std::byte> bytes);
/// Like elementsAsDoubles() above, but polls `stop` and returns nothing once it is set.
[[nodiscard]] std::optional<std::vector<double>> elementsAsDoubles(ElementType type,
                                                                   std::span<const std::byte> bytes,
                                                                   const device::Cancelled& stop);

/// The contents of an input before the launch, converted piece by piece. Nothing if stopped.
[[nodiscard]] std::optional<std::vector<double>> inputAsDoubles(const device::Operand& operand,
                                                                uint32_t operandIndex,
                                                                uint64_t seed,
                                                                const device::Cancelled& stop);

[[nodiscard]] bool isFloatingPoint(ElementType type);

/// A sum of integers as `type` stores it, with wraparound.
[[nodiscard]] double wrapped(ElementType type, double sum);
/// The value as an element of `type` stores it: rounded to f32, or wrapped around to an integer.
[[nodiscard]] double asStored(ElementType type, double value);

}  // namespace tilestep::lab
