// SPDX-License-Identifier: Apache-2.0
#include "gfx/scene.h"

namespace tilestep::gfx {

std::string dimensions(uint32_t rows, uint32_t columns) {
  return std::to_string(rows) + " \u00d7 " + std::to_string(columns);
}

}  // namespace tilestep::gfx
