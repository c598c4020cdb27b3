// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "device/captured.h"
#include "lab/launch/operands.h"
#include "lab/launch/operation.h"

namespace tilestep::lab {

/// The bytes of an operand after the launch; empty if missing.
using BytesAfter = std::function<std::span<const std::byte>(uint32_t operand)>;

/// The contents of a launch's buffers before and after it, as numbers. Buffers larger than
/// `mostBytes` are omitted.
[[nodiscard]] LaunchValues valuesOf(const device::CapturedLaunch& launch,
                                    const InferredLaunch& inferred, const BytesAfter& after,
                                    uint64_t mostBytes);

}  // namespace tilestep::lab
