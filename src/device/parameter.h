// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "device/device.h"

namespace tilestep::device {

/// The bytes of `value` as a parameter of that type, lowest first. For an integer type, `value`
/// must be an integer of at most 2^53 in magnitude.
[[nodiscard]] uint64_t scalarBits(ElementType type, double value);

/// A structure's bytes; padding is 0. `addressOf` returns an operand's address.
[[nodiscard]] std::vector<std::byte> structureOf(const Operand& operand,
                                                 const std::function<uint64_t(size_t)>& addressOf);

}  // namespace tilestep::device
