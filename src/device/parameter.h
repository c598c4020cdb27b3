// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "device/device.h"

namespace tilestep::device {

/// The bytes of `value` as a parameter of that type, lowest first. Of an integer type: a whole
/// number up to 2^53 in size.
[[nodiscard]] uint64_t scalarBits(ElementType type, double value);

/// A structure's bytes; what lies between its members is 0. `addressOf` gives where an operand
/// lies.
[[nodiscard]] std::vector<std::byte> structureOf(const Operand& operand,
                                                 const std::function<uint64_t(size_t)>& addressOf);

}  // namespace tilestep::device
