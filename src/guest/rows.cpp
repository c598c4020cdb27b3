// SPDX-License-Identifier: Apache-2.0
#include "guest/rows.h"

namespace tilestep::guest {

std::vector<iovec> rowsOf(uint64_t at, uint64_t pitch, uint64_t slice, const Copy& copy) {
  std::vector<iovec> rows;
  for (uint64_t z = 0; z < copy.depth; ++z) {
    for (uint64_t y = 0; y < copy.height; ++y)
      rows.push_back({reinterpret_cast<void*>(at + z * slice + y * pitch), copy.width});
  }
  return rows;
}

}  // namespace tilestep::guest
