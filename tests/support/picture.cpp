// SPDX-License-Identifier: Apache-2.0
#include "support/picture.h"

#include <webp/decode.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>
#pragma GCC diagnostic pop

namespace tilestep::support {
namespace {

constexpr int kField = 24;  // pixels

std::vector<float> fieldsOf(const Picture& picture) {
  std::vector<float> means;
  for (int top = 0; top < picture.height; top += kField) {
    for (int left = 0; left < picture.width; left += kField) {
      const int bottom = std::min(top + kField, picture.height);
      const int right = std::min(left + kField, picture.width);
      int64_t sum = 0;
      for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x)
          sum += picture.brightness[static_cast<size_t>(y) * picture.width + x];
      means.push_back(static_cast<float>(sum) /
                      static_cast<float>((bottom - top) * (right - left)));
    }
  }
  return means;
}

/// Weighted as in stb_image, so that both formats are comparable.
uint8_t brightnessOf(const uint8_t* rgb) {
  return static_cast<uint8_t>((77 * rgb[0] + 150 * rgb[1] + 29 * rgb[2]) >> 8);
}

std::optional<Picture> readWebp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(in)),
                                std::istreambuf_iterator<char>());
  Picture picture;
  uint8_t* pixels = WebPDecodeRGB(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                                  &picture.width, &picture.height);
  if (pixels == nullptr) return std::nullopt;
  const auto count = static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height);
  for (size_t i = 0; i < count; ++i) picture.brightness.push_back(brightnessOf(pixels + 3 * i));
  WebPFree(pixels);
  return picture;
}

}  // namespace

std::optional<Picture> readPicture(const std::filesystem::path& file) {
  if (file.extension() == ".webp") return readWebp(file);
  Picture picture;
  int channels = 0;
  stbi_uc* pixels = stbi_load(file.c_str(), &picture.width, &picture.height, &channels, 1);
  if (pixels == nullptr) return std::nullopt;
  const auto count = static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height);
  picture.brightness.assign(pixels, pixels + count);
  stbi_image_free(pixels);
  return picture;
}

double distance(const Picture& a, const Picture& b) {
  if (a.width != b.width || a.height != b.height || a.brightness.empty()) return 255;
  const std::vector<float> left = fieldsOf(a), right = fieldsOf(b);
  double sum = 0;
  for (size_t i = 0; i < left.size(); ++i) sum += std::fabs(left[i] - right[i]);
  return sum / static_cast<double>(left.size());
}

}  // namespace tilestep::support
