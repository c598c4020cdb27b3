// SPDX-License-Identifier: Apache-2.0
#include <stb_image_write.h>

#include <string>

#include "base/files.h"
#include "gfx/window.h"

namespace tilestep::gfx {

Status writePng(const std::filesystem::path& path, int width, int height, const uint8_t* rgba) {
  std::string bytes;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), size_t(size));
  };
  if (stbi_write_png_to_func(append, &bytes, width, height, 4, rgba, width * 4) == 0)
    return workError("The picture could not be encoded as PNG.");
  return writeFileAtomically(path, bytes);
}

}  // namespace tilestep::gfx
