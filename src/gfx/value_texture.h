// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gfx/scene.h"

namespace tilestep::gfx {

/// A picture as bytes for a texture of two channels: value x written, and written (0 or 255), so
/// that averages of any area are right: value / written.
struct ValueBytes {
  uint32_t rows = 0, columns = 0;
  std::vector<uint8_t> bytes;
};

/// Larger pictures than `most` on a side are averaged down by a whole factor. Pure.
[[nodiscard]] ValueBytes valueBytes(const Picture& picture, float low, float high,
                                    uint32_t most = 2048);

}  // namespace tilestep::gfx
