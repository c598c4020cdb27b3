// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace tilestep::gfx {

/// 8-bit RGBA rows, top row first, as the bytes of a PNG file.
Result<std::string> pngOf(int width, int height, std::span<const uint8_t> rgba);

}  // namespace tilestep::gfx
