// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace tilestep::support {

/// A picture's brightness: rows from the top, 0 black to 255 white.
struct Picture {
  int width = 0, height = 0;
  std::vector<uint8_t> brightness;
};

/// Reads a PNG, or a WebP if its name ends in .webp; nothing if there is no readable picture.
std::optional<Picture> readPicture(const std::filesystem::path& file);

/// The difference of two pictures of one size: the mean difference of their brightness, 0 to 255,
/// over fields of 24 × 24 pixels. Letters of another font fill a field about equally, so the
/// difference shows moved content and not how it is rasterised. 255 if the sizes differ.
double distance(const Picture& a, const Picture& b);

}  // namespace tilestep::support
