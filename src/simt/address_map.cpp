// SPDX-License-Identifier: Apache-2.0
#include "simt/address_map.h"

#include <algorithm>
#include <numeric>

namespace tilestep::simt {
namespace {

uint64_t cellOf(uint64_t address) {
  return (address - kGlobalStart) >> kCellBits;
}

}  // namespace

AddressMap::AddressMap(const std::vector<Region>& regions) : AddressMap() {
  std::vector<uint16_t> order(regions.size());
  std::iota(order.begin(), order.end(), uint16_t{0});
  std::ranges::sort(order, {}, [&](uint16_t i) { return regions[i].start; });
  uint64_t begin = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const Region& region = regions[order[i]];
    const uint64_t last = cellOf(region.start + (region.bytes == 0 ? 0 : region.bytes - 1));
    uint64_t end = kCells;
    if (i + 1 < order.size()) {
      const uint64_t next = cellOf(regions[order[i + 1]].start);
      end = std::max(last + 1, last + 1 + (next - last - 1) / 2);
    }
    end = std::min(end, kCells);
    std::fill(cells_.begin() + static_cast<ptrdiff_t>(std::min(begin, kCells)),
              cells_.begin() + static_cast<ptrdiff_t>(std::max(begin, end)), order[i]);
    begin = std::max(begin, end);
  }
}

}  // namespace tilestep::simt
