// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "gfx/png.h"

namespace tilestep::gfx {
namespace {

using Pixel = std::array<uint8_t, 4>;
constexpr char kTrueColourWithAlpha = 6, kIndexed = 3;

Pixel pixelAt(std::span<const uint8_t> rgba, size_t at) {
  return {rgba[4 * at], rgba[4 * at + 1], rgba[4 * at + 2], rgba[4 * at + 3]};
}

std::string bigEndian(uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
  return bytes;
}

std::string chunk(std::string_view name, const std::string& data) {
  const std::string checked = std::string(name) + data;
  const auto sum =
      crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
  return bigEndian(static_cast<uint32_t>(data.size())) + checked +
         bigEndian(static_cast<uint32_t>(sum));
}

/// The index of each colour; absent if there are more than 256 colours.
std::optional<std::map<Pixel, uint8_t>> paletteOf(std::span<const uint8_t> rgba) {
  std::map<Pixel, uint8_t> palette;
  for (size_t i = 0; i < rgba.size() / 4; ++i) {
    palette.try_emplace(pixelAt(rgba, i), uint8_t{0});
    if (palette.size() > 256) return std::nullopt;
  }
  uint8_t index = 0;
  for (auto& [pixel, at] : palette) at = index++;
  return palette;
}

std::string paletteChunks(const std::map<Pixel, uint8_t>& palette) {
  std::string colours, alphas;
  for (const auto& [pixel, index] : palette) {
    colours.append(pixel.begin(), pixel.begin() + 3);
    alphas += static_cast<char>(pixel[3]);
  }
  return chunk("PLTE", colours) + chunk("tRNS", alphas);
}

/// Each row begins with its filter type, which is "none".
std::string rowsOf(uint32_t width, uint32_t height, std::span<const uint8_t> rgba,
                   const std::optional<std::map<Pixel, uint8_t>>& palette) {
  std::string rows;
  for (size_t y = 0; y < height; ++y) {
    rows += '\0';
    for (size_t x = 0; x < width; ++x) {
      const Pixel pixel = pixelAt(rgba, y * width + x);
      if (palette)
        rows += static_cast<char>(palette->at(pixel));
      else
        rows.append(pixel.begin(), pixel.end());
    }
  }
  return rows;
}

}  // namespace

Result<std::string> drawnPngOf(uint32_t width, uint32_t height, std::span<const uint8_t> rgba) {
  const std::optional<std::map<Pixel, uint8_t>> palette = paletteOf(rgba);
  const std::string rows = rowsOf(width, height, rgba, palette);
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  std::string packed(size, '\0');
  if (width == 0 || height == 0 ||
      compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(rows.data()), static_cast<uLong>(rows.size()),
                Z_BEST_COMPRESSION) != Z_OK)
    return workError("The picture could not be encoded as PNG.");
  packed.resize(size);
  const std::string kind = {8, palette ? kIndexed : kTrueColourWithAlpha, 0, 0, 0};
  return std::string("\x89PNG\r\n\x1A\n", 8) +
         chunk("IHDR", bigEndian(width) + bigEndian(height) + kind) +
         (palette ? paletteChunks(*palette) : "") + chunk("IDAT", packed) + chunk("IEND", "");
}

}  // namespace tilestep::gfx
