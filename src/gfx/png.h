// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace tilestep::gfx {

/// Encodes 8-bit RGBA rows, top row first, as a PNG file.
Result<std::string> pngOf(int width, int height, std::span<const uint8_t> rgba);

/// The same for drawings with large areas of one colour: without row filters, and with a palette if
/// there are at most 256 colours.
Result<std::string> drawnPngOf(uint32_t width, uint32_t height, std::span<const uint8_t> rgba);

}  // namespace tilestep::gfx
