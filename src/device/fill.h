// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "device/device.h"

/// Filling that can be stopped: `stop` is polled before each piece, a few milliseconds' work.
namespace tilestep::device {

constexpr uint64_t kPieceBytes = uint64_t{16} << 20;

/// Like fillOperand() of device.h; returns nothing if stopped.
std::optional<std::vector<std::byte>> fillOperand(const Operand& operand, uint32_t operandIndex,
                                                  uint64_t seed, std::byte poison,
                                                  const Cancelled& stop);

/// Fills an input piece by piece and passes each piece on, with the index of its first element.
/// False if stopped.
bool fillPieces(const Operand& operand, uint32_t operandIndex, uint64_t seed, const Cancelled& stop,
                const std::function<void(uint64_t first, std::span<const std::byte> bytes)>& take);

/// Appends `value` until `bytes` has `size` bytes. False if stopped.
bool resizeUnlessStopped(std::vector<std::byte>& bytes, uint64_t size, std::byte value,
                         const Cancelled& stop);

}  // namespace tilestep::device
