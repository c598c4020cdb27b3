// SPDX-License-Identifier: Apache-2.0
#include "session/planning.h"

#include <algorithm>

namespace tilestep::session {
namespace {

constexpr int64_t kSmallTunable = 4;   ///< The first scene: tiles of 4 × 4 …
constexpr int64_t kSmallestScene = 8;  ///< … in matrices of 8 × 8.
constexpr int64_t kLargestAutomaticScene = 64;

/// Outputs of one block along an axis of `extent` elements that `grid` blocks share.
uint32_t outputsAlong(uint64_t extent, uint32_t grid, uint32_t block) {
  const uint64_t covered = uint64_t{grid} * block;
  const bool oneEach = covered >= extent && covered < extent + block;
  return oneEach ? block : static_cast<uint32_t>(ceilDiv(extent, std::max(grid, 1U)));
}

const compile::ResolvedOperand* firstOutput(const compile::Plan& plan) {
  for (const compile::ResolvedOperand& operand : plan.operands)
    if (operand.spec.direction == Direction::out && operand.rows > 0) return &operand;
  return nullptr;
}

bool isLegal(const compile::KernelSpec& spec, const compile::Bindings& sizes,
             const compile::Bindings& tunables, const Limits& limits) {
  return compile::plan(spec, sizes, tunables, limits).ok();
}

}  // namespace

compile::Bindings tunablesOf(const Choice& choice, const compile::KernelSpec& spec) {
  compile::Bindings tunables;
  const auto chosen = choice.tunables.find(spec.name);
  for (const compile::TunableSpec& tunable : spec.tunables) {
    int64_t value = std::max(tunable.minimum, std::min(tunable.defaultValue, kSmallTunable));
    const bool listed = tunable.values.empty() || std::ranges::count(tunable.values, value) > 0;
    if (!listed) value = tunable.defaultValue;
    if (chosen != choice.tunables.end()) {
      const auto found = chosen->second.find(tunable.name);
      if (found != chosen->second.end()) value = found->second;
    }
    tunables[tunable.name] = value;
  }
  return tunables;
}

compile::Bindings sceneSizesOf(const Choice& choice, const compile::KernelSpec& spec,
                               const Limits& limits) {
  int64_t edge = kSmallestScene;
  compile::Bindings sizes;
  for (const auto& [name, value] : spec.sizes) sizes[name] = edge;
  const auto plan = compile::plan(spec, sizes, tunablesOf(choice, spec), limits);
  if (plan.ok() && !plan->launches.empty()) {
    const Dim3& block = plan->launches.front().block;
    const int64_t tile = std::max<int64_t>({block.x, block.y, phaseLengthOf(*plan)});
    edge = std::clamp(2 * tile, kSmallestScene, kLargestAutomaticScene);
  }
  for (auto& [name, value] : sizes) {
    const auto chosen = choice.scene.values.find(name);
    value = chosen == choice.scene.values.end() ? edge : std::min(chosen->second, kMaxSceneSize);
  }
  return sizes;
}

compile::Bindings measureSizesOf(const Choice& choice, const compile::KernelSpec& spec) {
  compile::Bindings sizes = spec.sizes;
  for (auto& [name, value] : sizes) {
    const auto chosen = choice.measure.values.find(name);
    if (chosen != choice.measure.values.end()) value = chosen->second;
  }
  return sizes;
}

BlockOutputs outputsOfBlock(const compile::Plan& plan) {
  const compile::ResolvedOperand* output = firstOutput(plan);
  if (output == nullptr || plan.launches.empty()) return {};
  const Launch& launch = plan.launches.front();
  return {outputsAlong(output->rows, launch.grid.y, launch.block.y),
          outputsAlong(output->columns, launch.grid.x, launch.block.x)};
}

compile::Bindings companionTunables(const compile::KernelSpec& companion,
                                    const compile::Plan& main) {
  compile::Bindings tunables;
  const BlockOutputs outputs = outputsOfBlock(main);
  if (outputs.rows == 0) return tunables;
  for (const compile::TunableSpec& tunable : companion.tunables) {
    if (tunable.name == "BLOCK_X") tunables[tunable.name] = outputs.columns;
    if (tunable.name == "BLOCK_Y") tunables[tunable.name] = outputs.rows;
  }
  return tunables;
}

int64_t phaseLengthOf(const compile::Plan& main) {
  return main.phaseLength > 0 ? main.phaseLength : kSmallTunable;
}

std::optional<int64_t> nearestLegal(const compile::KernelSpec& spec, const compile::Bindings& sizes,
                                    compile::Bindings tunables, const std::string& name,
                                    const Limits& limits) {
  const auto tunable = std::ranges::find(spec.tunables, name, &compile::TunableSpec::name);
  if (tunable == spec.tunables.end()) return std::nullopt;
  const int64_t from = std::clamp(tunables[name], tunable->minimum, tunable->maximum);
  constexpr int64_t kFarthest = 2048;  // Tries, so that a wide range costs no second.
  for (int64_t distance = 0; distance <= kFarthest; ++distance) {
    for (const int64_t value : {from - distance, from + distance}) {
      if (value < tunable->minimum || value > tunable->maximum) continue;
      tunables[name] = value;
      if (isLegal(spec, sizes, tunables, limits)) return value;
    }
  }
  return std::nullopt;
}

Dim3 clampToGrid(const Dim3& block, const Dim3& grid) {
  const auto inside = [](uint32_t index, uint32_t count) { return std::min(index, count - 1); };
  return {inside(block.x, grid.x), inside(block.y, grid.y), inside(block.z, grid.z)};
}

}  // namespace tilestep::session
