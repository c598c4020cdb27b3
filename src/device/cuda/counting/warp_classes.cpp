// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/counting/warp_classes.h"

namespace tilestep::cuda {

void WarpClasses::add(const std::vector<uint64_t>& keys, uint64_t first) {
  for (size_t i = 0; i + 1 < keys.size(); i += 2) {
    const uint64_t warp = first + i / 2;
    const auto place = static_cast<uint32_t>(onlyOnePlace_ ? warp % warpsPerBlock_ : 0);
    const auto [known, isNew] = numberOf_.try_emplace({keys[i], keys[i + 1], place}, all_.size());
    if (isNew) all_.push_back({.exemplar = warp});
    ++all_[known->second].warps;
  }
}

}  // namespace tilestep::cuda
