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

/// A PNG, or WebP where its name ends so; nothing where there is no readable picture.
std::optional<Picture> readPicture(const std::filesystem::path& file);

/// How far two pictures of one size are apart: the mean difference of their brightness, 0 to 255,
/// over fields of 24 × 24 pixels. Letters of another font fill their field about alike, so what is
/// told apart is what stands where, not how it is rasterised. 255 where the sizes differ.
double distance(const Picture& a, const Picture& b);

}  // namespace tilestep::support
