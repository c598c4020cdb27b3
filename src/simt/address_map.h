// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "simt/machine.h"

namespace tilestep::simt {

/// Which region an address is nearest to. Global addresses are divided into cells of 2^kCellBits
/// bytes, and each cell belongs to one region: the gap between two regions is divided in the
/// middle, so an access past the end of one is reported as such. No two regions share a cell.
class AddressMap {
 public:
  AddressMap() : cells_(kCells, kNoRegion) {}
  /// Fewer than kNoRegion regions, in any order.
  explicit AddressMap(const std::vector<Region>& regions);

  /// The region's number; kNoRegion if there is none, or if the address is not a global one.
  [[nodiscard]] uint16_t regionAt(uint64_t address) const {
    const uint64_t cell = (address >> kCellBits) - (kGlobalStart >> kCellBits);
    return cell < kCells ? cells_[cell] : kNoRegion;
  }
  /// kCells entries, for the core.
  [[nodiscard]] const uint16_t* cells() const { return cells_.data(); }

 private:
  std::vector<uint16_t> cells_;
};

}  // namespace tilestep::simt
