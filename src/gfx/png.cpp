// SPDX-License-Identifier: Apache-2.0
#include "gfx/png.h"

#include <stb_image_write.h>

namespace tilestep::gfx {

Result<std::string> pngOf(int width, int height, std::span<const uint8_t> rgba) {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), size_t(size));
  };
  if (stbi_write_png_to_func(append, &bytes, width, height, 4, rgba.data(), width * 4) == 0)
    return workError("The picture could not be encoded as PNG");
  return bytes;
}

}  // namespace tilestep::gfx
