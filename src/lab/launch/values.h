// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "device/captured.h"
#include "lab/launch/operands.h"
#include "lab/launch/operation.h"

namespace tilestep::lab {

/// The bytes of an operand after the launch; empty where they are not there.
using BytesAfter = std::function<std::span<const std::byte>(uint32_t operand)>;

/// What a launch's buffers held before it and hold after it, as numbers. Buffers that are larger
/// than `mostBytes` are left out.
[[nodiscard]] LaunchValues valuesOf(const device::CapturedLaunch& launch,
                                    const InferredLaunch& inferred, const BytesAfter& after,
                                    uint64_t mostBytes);

}  // namespace tilestep::lab
