// SPDX-License-Identifier: Apache-2.0
#include "grade/launch_shape.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/launch.h"

namespace tilestep::grade {
namespace {

/// The number of phases, followed by each launch's number of blocks in each direction.
using Parts = std::vector<int64_t>;

std::optional<compile::Plan> planWith(const compile::KernelSpec& kernel, const HiddenLaunch& launch,
                                      const std::string& size, int64_t value) {
  compile::Bindings sizes = launch.sizes;
  if (!size.empty()) sizes[size] = value;
  Result<compile::Plan> plan = compile::plan(kernel, sizes, launch.tunables, Limits{});
  if (!plan) return std::nullopt;
  return std::move(*plan);
}

Parts partsOf(const compile::Plan& plan) {
  Parts parts{plan.phases};
  for (const Launch& launch : plan.launches)
    for (const uint32_t blocks : {launch.grid.x, launch.grid.y, launch.grid.z})
      parts.push_back(blocks);
  return parts;
}

bool isMultipleOfBlock(const compile::Plan& plan, int64_t size) {
  return std::ranges::all_of(plan.launches, [&](const Launch& launch) {
    const std::array<uint32_t, 3> sides{launch.block.x, launch.block.y, launch.block.z};
    return std::ranges::all_of(sides, [&](uint32_t side) { return size % side == 0; });
  });
}

/// Marks the parts that depend on the size, which are those that change if the size is much
/// greater.
std::vector<bool> followingFrom(const compile::KernelSpec& kernel, const HiddenLaunch& launch,
                                const std::string& name, int64_t size, const Parts& parts) {
  constexpr std::array<int64_t, 3> kMore{64, 1024, 65'536};
  std::vector<bool> follows(parts.size(), false);
  for (const int64_t more : kMore) {
    const std::optional<compile::Plan> other = planWith(kernel, launch, name, size + more);
    if (!other) continue;
    const Parts others = partsOf(*other);
    for (size_t i = 0; i < std::min(parts.size(), others.size()); ++i)
      if (others[i] != parts[i]) follows[i] = true;
  }
  return follows;
}

/// Whether one more element would add a block or phase to each part that depends on the size.
bool fillsItsParts(const Parts& parts, const Parts& ofOneMore, const std::vector<bool>& follows) {
  for (size_t i = 0; i < std::min(parts.size(), ofOneMore.size()); ++i)
    if (follows[i] && ofOneMore[i] == parts[i]) return false;
  return true;
}

}  // namespace

LaunchShape shapeOf(const compile::KernelSpec& kernel, const HiddenLaunch& launch) {
  LaunchShape shape;
  const std::optional<compile::Plan> plan = planWith(kernel, launch, {}, 0);
  if (!plan) return shape;
  shape.severalBlocks =
      std::ranges::any_of(plan->launches, [](const Launch& one) { return one.grid.count() > 1; });
  const Parts parts = partsOf(*plan);
  for (const auto& [name, size] : plan->sizes) {
    const std::vector<bool> follows = followingFrom(kernel, launch, name, size, parts);
    if (std::ranges::find(follows, true) == follows.end()) {
      shape.wholeSizes = shape.wholeSizes && isMultipleOfBlock(*plan, size);
      continue;
    }
    const std::optional<compile::Plan> oneMore = planWith(kernel, launch, name, size + 1);
    if (oneMore && !fillsItsParts(parts, partsOf(*oneMore), follows)) shape.wholeBlocks = false;
  }
  shape.wholeSizes = shape.wholeSizes && shape.wholeBlocks;
  return shape;
}

}  // namespace tilestep::grade
