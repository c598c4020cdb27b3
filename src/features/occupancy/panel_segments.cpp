// SPDX-License-Identifier: Apache-2.0
#include "features/occupancy/panel_segments.h"

#include <algorithm>

namespace tilestep::features {

std::vector<BarSegment> segmentsOf(const OccupancyBar& bar, uint32_t blocks, float pixels) {
  constexpr float kNarrowest = 2, kWithGap = 5;
  if (!bar.known || bar.available == 0 || bar.taken == 0 || blocks == 0 || !(pixels > 0)) return {};
  const double share = static_cast<double>(bar.taken) / static_cast<double>(bar.available);
  const auto asked = std::min(static_cast<float>(bar.asked) / static_cast<float>(bar.taken), 1.0F);
  const auto width = static_cast<float>(share * static_cast<double>(pixels));
  if (width < kNarrowest) {
    const float all = std::min(width * static_cast<float>(blocks), pixels);
    return {{0, all * asked, all}};
  }
  std::vector<BarSegment> segments;
  const float gap = width > kWithGap ? 1.0F : 0.0F;
  for (uint32_t i = 0; i < blocks; ++i) {
    const float left = width * static_cast<float>(i);
    if (left >= pixels) break;
    const float right = std::min(left + width, pixels) - gap;
    segments.push_back({left, left + (right - left) * asked, right});
  }
  return segments;
}

}  // namespace tilestep::features
