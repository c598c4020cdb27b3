// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gfx/scene.h"

namespace tilestep::gfx {

/// A picture as bytes of a texture with two channels: value × written, and written (0 or 255). The
/// quotient of their averages is then the mean of an area's written values.
struct ValueBytes {
  uint32_t rows = 0, columns = 0;
  std::vector<uint8_t> bytes;
};

/// Pictures with more than `most` values on a side are reduced by averaging over a whole factor.
/// Pure.
[[nodiscard]] ValueBytes valueBytes(const Picture& picture, float low, float high,
                                    uint32_t most = 2048);

}  // namespace tilestep::gfx
