// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "device/device.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// Reduces the operand to at most `side` values along its longer side, each the mean of a
/// rectangle. Small operands are not enlarged. An operand without rows and columns counts as one
/// row.
[[nodiscard]] Picture makePicture(const device::Operand& operand, uint32_t index,
                                  std::span<const std::byte> bytes, uint32_t side);

}  // namespace tilestep::lab
