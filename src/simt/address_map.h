// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "simt/machine.h"

namespace tilestep::simt {

/// Finds the region nearest to a global address. Addresses are divided into cells of 2^kCellBits
/// bytes, and each cell belongs to one region. The gap between two regions is divided in the
/// middle, so an access shortly past a region's end is still attributed to that region. No two
/// regions share a cell.
class AddressMap {
 public:
  AddressMap() : cells_(kCells, kNoRegion) {}
  /// Accepts fewer than kNoRegion regions, in any order.
  explicit AddressMap(const std::vector<Region>& regions);

  /// Returns the region's index, or kNoRegion if there is no region or the address is not global.
  [[nodiscard]] uint16_t regionAt(uint64_t address) const {
    const uint64_t cell = (address >> kCellBits) - (kGlobalStart >> kCellBits);
    return cell < kCells ? cells_[cell] : kNoRegion;
  }
  /// The region of each of the kCells cells, for the core.
  [[nodiscard]] const uint16_t* cells() const { return cells_.data(); }

 private:
  std::vector<uint16_t> cells_;
};

}  // namespace tilestep::simt
