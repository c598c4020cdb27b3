// SPDX-License-Identifier: Apache-2.0
#include "metrics/coalescing.h"

#include <map>
#include <set>
#include <utility>

namespace tilestep::metrics {

double Coalescing::usefulShare() const {
  return sectors.empty() ? 0
                         : static_cast<double>(distinctBytes) / static_cast<double>(movedBytes());
}

double Coalescing::loadEfficiency() const {
  return sectors.empty() ? 0 : static_cast<double>(askedBytes) / static_cast<double>(movedBytes());
}

Coalescing coalesce(std::span<const uint64_t> addresses, uint32_t width) {
  Coalescing result;
  result.lanes = static_cast<uint32_t>(addresses.size());
  result.askedBytes = uint64_t{result.lanes} * width;
  std::map<uint64_t, Sector> sectors;
  std::set<uint64_t> bytes, lines;
  for (uint32_t lane = 0; lane < result.lanes; ++lane) {
    for (uint64_t byte = addresses[lane]; byte < addresses[lane] + width; ++byte) {
      Sector& sector = sectors[byte / kSectorBytes * kSectorBytes];
      lines.insert(byte / kLineBytes);
      if (bytes.insert(byte).second) ++sector.usedBytes;
      if (sector.lanes.empty() || sector.lanes.back() != lane) sector.lanes.push_back(lane);
    }
  }
  result.distinctBytes = bytes.size();
  result.lines = static_cast<uint32_t>(lines.size());
  for (auto& [address, sector] : sectors) {
    sector.address = address;
    result.sectors.push_back(std::move(sector));
  }
  return result;
}

Coalescing coalesce(std::span<const uint32_t> offsets, uint32_t width) {
  return coalesce(std::vector<uint64_t>(offsets.begin(), offsets.end()), width);
}

uint32_t idealSectors(uint32_t lanes, uint32_t width) {
  return (lanes * width + kSectorBytes - 1) / kSectorBytes;
}

}  // namespace tilestep::metrics
