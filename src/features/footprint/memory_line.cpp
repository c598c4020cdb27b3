// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/memory_line.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tilestep::features {
namespace {

using metrics::kLineBytes;

/// The lanes of one line, grouped by their first byte, and the line's moved sectors.
struct Content {
  std::map<uint64_t, std::vector<uint32_t>> lanes;
  std::vector<uint64_t> sectors;
};

MemoryLine lineOf(uint64_t number, Content content) {
  MemoryLine line;
  line.number = number;
  std::vector<uint32_t> all;
  for (auto& [offset, lanes] : content.lanes) {
    all.insert(all.end(), lanes.begin(), lanes.end());
    line.groups.push_back({offset, std::move(lanes)});
  }
  std::ranges::sort(all);
  if (!all.empty()) line.lanes = lanesText(all);
  line.sectors = std::move(content.sectors);
  return line;
}

}  // namespace

std::vector<MemoryLine> memoryLinesOf(const std::vector<LaneBytes>& lanes, uint64_t width,
                                      const std::vector<metrics::Sector>& sectors) {
  std::map<uint64_t, Content> contents;
  for (const LaneBytes& lane : lanes)
    for (uint64_t line = lane.offset / kLineBytes; line <= (lane.offset + width - 1) / kLineBytes;
         ++line)
      contents[line].lanes[lane.offset].push_back(lane.lane);
  for (const metrics::Sector& sector : sectors)
    contents[sector.address / kLineBytes].sectors.push_back(sector.address);
  std::vector<MemoryLine> lines;
  for (auto& [number, content] : contents) lines.push_back(lineOf(number, std::move(content)));
  return lines;
}

std::string lanesText(const std::vector<uint32_t>& lanes) {
  const uint32_t first = lanes.front(), last = lanes.back();
  if (lanes.size() == 1) return std::to_string(first);
  if (last - first + 1 == lanes.size())
    return std::to_string(first) + " to " + std::to_string(last);
  std::string text = std::to_string(first);
  constexpr size_t kMost = 4;
  for (size_t i = 1; i < std::min(lanes.size(), kMost); ++i)
    text += ", " + std::to_string(lanes[i]);
  return lanes.size() > kMost ? text + ", …" : text;
}

}  // namespace tilestep::features
