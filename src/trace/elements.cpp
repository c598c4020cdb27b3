// SPDX-License-Identifier: Apache-2.0
#include "trace/elements.h"

#include <numeric>

namespace tilestep::trace {

Elements::Elements(const BlockTrace& recording, const Cut& cut) {
  for (size_t i = 0; i < recording.size(); ++i) {
    const TraceEvent event = recording.event(i);
    if (event.width == 0 || event.operation == Operation::accumulate) continue;
    uint8_t& width = widths_[{event.space, event.buffer}];
    width = std::gcd(width, event.width);
  }
  for (auto& [key, width] : widths_) {
    const auto& [space, buffer] = key;
    if (space == Space::global && buffer >= 0 && size_t(buffer) < cut.operands.size()) {
      const uint32_t element = cut.operands[size_t(buffer)].elementBytes;
      width = static_cast<uint8_t>(std::gcd(uint32_t{width}, element));
    }
    if (width > 8) width = width % 4 == 0 ? 4 : 1;
  }
}

uint8_t Elements::widthOf(Space space, int16_t buffer) const {
  const auto at = widths_.find({space, buffer});
  return at == widths_.end() ? uint8_t{0} : at->second;
}

}  // namespace tilestep::trace
