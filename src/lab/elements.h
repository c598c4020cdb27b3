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
/// The same; nothing where it was stopped, which is asked for now and then.
[[nodiscard]] std::optional<std::vector<double>> elementsAsDoubles(ElementType type,
                                                                   std::span<const std::byte> bytes,
                                                                   const device::Cancelled& stop);

/// What an input holds before the launch, without a copy of its bytes. Nothing where it was
/// stopped.
[[nodiscard]] std::optional<std::vector<double>> inputAsDoubles(const device::Operand& operand,
                                                                uint32_t operandIndex,
                                                                uint64_t seed,
                                                                const device::Cancelled& stop);

[[nodiscard]] bool isFloatingPoint(ElementType type);

/// What a sum of whole numbers is in `type`, which wraps around.
[[nodiscard]] double wrapped(ElementType type, double sum);
/// A right value as an element holds it: rounded to f32, or wrapped around to a whole number.
[[nodiscard]] double asStored(ElementType type, double value);

}  // namespace tilestep::lab
