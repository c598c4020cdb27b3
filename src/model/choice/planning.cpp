// SPDX-License-Identifier: Apache-2.0
#include "model/choice/planning.h"

#include <algorithm>
#include <cstdlib>
#include <variant>
#include <vector>

#include "compile/front_matter/plan_attempt.h"
#include "compile/front_matter/tunable_values.h"

namespace tilestep::model {
namespace {

constexpr int64_t kSmallTunable = 4;   ///< The first scene has tiles of 4 × 4 …
constexpr int64_t kSmallestScene = 8;  ///< … in matrices of 8 × 8.
constexpr int64_t kLargestAutomaticScene = 64;
constexpr int64_t kMostThreads = 1024;  ///< Per block, on every known device.

/// The outputs of one block along an axis of `extent` elements that `grid` blocks share. Each
/// thread has the same number, unless a block would then have none.
uint32_t outputsAlong(uint64_t extent, uint32_t grid, uint32_t block) {
  const uint64_t threads = std::max<uint64_t>(uint64_t{grid} * block, 1);
  const uint64_t ofBlock = ceilDiv(extent, threads) * block;
  const bool isUsed = grid > 0 && (grid - 1) * ofBlock < extent;
  return static_cast<uint32_t>(isUsed ? ofBlock : ceilDiv(extent, std::max(grid, 1U)));
}

const compile::ResolvedOperand* firstOutput(const compile::Plan& plan) {
  for (const compile::ResolvedOperand& operand : plan.operands)
    if (operand.spec.direction == Direction::out && operand.rows > 0) return &operand;
  return nullptr;
}

/// Limits on the work of a search for a legal value, and of the search that is made for every
/// choice.
constexpr size_t kMostWork = 4096, kMostSmallWork = 1024;

compile::Bindings allOf(const compile::KernelSpec& spec, const compile::Bindings& sizes,
                        const compile::Bindings& tunables) {
  compile::Bindings all = spec.sizes;
  for (const compile::TunableSpec& tunable : spec.tunables)
    all[tunable.name] = tunable.defaultValue;
  for (const auto& [name, value] : sizes) all[name] = value;
  for (const auto& [name, value] : tunables) all[name] = value;
  return all;
}

/// A small value, so that the first scene has several blocks and phases.
int64_t smallValue(const compile::TunableSpec& tunable) {
  const int64_t value = std::max(tunable.minimum, std::min(tunable.defaultValue, kSmallTunable));
  return compile::takes(tunable, value) ? value : tunable.defaultValue;
}

/// Searches for small values that are legal together.
class SmallSearch {
 public:
  explicit SmallSearch(const compile::KernelSpec& spec) : spec_(spec), planner_(spec, limits_) {
    for (const compile::TunableSpec& tunable : spec.tunables)
      small_[tunable.name] = smallValue(tunable);
    all_ = allOf(spec, spec.sizes, small_);
  }

  /// Uses as few steps above the smallest values as possible.
  compile::Bindings run() {
    constexpr int kMostSteps = 4;
    for (int steps = 0; steps <= kMostSteps; ++steps)
      if (stepUp(0, steps)) break;
    for (auto& [name, value] : small_) value = all_.at(name);
    return small_;
  }

 private:
  /// Increases the tunables with index `from` and above by `steps` steps in total, until the values
  /// are legal. Leaves them unchanged if no such values are legal.
  bool stepUp(size_t from, int steps) {
    if (planner_.work() >= kMostSmallWork) return false;
    if (steps == 0) return std::holds_alternative<compile::Plan>(planner_.attempt(all_));
    for (size_t i = from; i < spec_.tunables.size(); ++i) {
      int64_t& value = all_[spec_.tunables[i].name];
      const int64_t before = value;
      value = compile::steppedValue(spec_.tunables[i], value, 1);
      if (value == before) continue;
      if (stepUp(i, steps - 1)) return true;
      value = before;
    }
    return false;
  }

  const compile::KernelSpec& spec_;
  const Limits limits_;
  compile::Planner planner_;
  compile::Bindings small_, all_;
};

compile::Bindings smallTunables(const compile::KernelSpec& spec) {
  return SmallSearch(spec).run();
}

/// The quantities that determine the scene's default sizes: the longest side of a block's tiles,
/// and two tiles.
struct SceneTile {
  int64_t side = 0;  ///< 0 if the choice is illegal.
  int64_t edge = kSmallestScene;
};

SceneTile sceneTileOf(const Choice& choice, const compile::KernelSpec& spec, const Limits& limits) {
  SceneTile tile;
  compile::Bindings sizes;
  for (const auto& [name, value] : spec.sizes) sizes[name] = tile.edge;
  // compile::plan() would search for the nearest legal values instead.
  const auto outcome =
      compile::Planner(spec, limits).attempt(allOf(spec, sizes, tunablesOf(choice, spec)));
  const auto* plan = std::get_if<compile::Plan>(&outcome);
  if (plan == nullptr || plan->launches.empty()) return tile;
  const Dim3& block = plan->launches.front().block;
  tile.side = std::max<int64_t>({block.x, block.y, phaseLengthOf(*plan)});
  tile.edge = std::clamp(2 * tile.side, kSmallestScene, kLargestAutomaticScene);
  return tile;
}

/// 2 * 512^3, the most operations of a grid that is run completely.
constexpr double kMostOperations = 268435456;
/// The work assumed per thread if a kernel declares no operations.
constexpr double kOperationsOfThread = 64;

}  // namespace

bool isLarge(const compile::Plan& plan) {
  double threads = 0;
  for (const Launch& launch : plan.launches)
    threads += static_cast<double>(launch.grid.count()) * static_cast<double>(launch.block.count());
  return std::max(plan.operations, threads * kOperationsOfThread) > kMostOperations;
}

compile::Bindings tunablesOf(const Choice& choice, const compile::KernelSpec& spec) {
  compile::Bindings tunables = smallTunables(spec);
  const auto chosen = choice.tunables.find(spec.name);
  if (chosen == choice.tunables.end()) return tunables;
  for (auto& [name, value] : tunables)
    if (const auto found = chosen->second.find(name); found != chosen->second.end())
      value = found->second;
  return tunables;
}

compile::Bindings sceneSizesOf(const Choice& choice, const compile::KernelSpec& spec,
                               const Limits& limits) {
  if (spec.given != nullptr) return spec.sizes;
  const int64_t edge = sceneTileOf(choice, spec, limits).edge;
  compile::Bindings sizes = spec.sizes;
  for (auto& [name, value] : sizes) {
    const auto chosen = choice.scene.values.find(name);
    value = chosen == choice.scene.values.end() ? edge : std::min(chosen->second, kMaxSceneSize);
  }
  return sizes;
}

compile::Bindings measureSizesOf(const Choice& choice, const compile::KernelSpec& spec) {
  if (spec.given != nullptr) return spec.sizes;
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
  // Threads may compute several elements each, and blocks may have only an x index.
  const auto rows = plan.tunables.find("TILE_M"), columns = plan.tunables.find("TILE_N");
  if (rows != plan.tunables.end() && columns != plan.tunables.end())
    return {static_cast<uint32_t>(std::min<uint64_t>(output->rows, uint64_t(rows->second))),
            static_cast<uint32_t>(std::min<uint64_t>(output->columns, uint64_t(columns->second)))};
  const Launch& launch = plan.launches.front();
  return {outputsAlong(output->rows, launch.grid.y, launch.block.y),
          outputsAlong(output->columns, launch.grid.x, launch.block.x)};
}

bool canBeCompared(const compile::KernelSpec& main, const compile::KernelSpec& other) {
  // The arrays of a launch do not show its purpose, so only a product is compared with other
  // kernels.
  const bool isLaunch = main.given != nullptr, isOtherLaunch = other.given != nullptr;
  if (isLaunch != isOtherLaunch && main.reference != other.reference) return false;
  if (isLaunch != isOtherLaunch && main.reference.empty()) return false;
  const auto isProduct = [](const auto& spec) { return spec.reference.starts_with("matmul"); };
  const bool isSame = main.reference == other.reference || (isProduct(main) && isProduct(other));
  if (!main.reference.empty() && !other.reference.empty() && !isSame) return false;
  const auto sameNames = [](const auto& a, const auto& b) {
    return std::ranges::equal(
        a, b, {}, [](const auto& s) { return s.first; }, [](const auto& s) { return s.first; });
  };
  if (!sameNames(main.sizes, other.sizes)) return false;
  const auto buffers = [](const compile::KernelSpec& spec, bool written) {
    std::vector<std::string> shapes;
    for (const compile::OperandSpec& operand : spec.operands) {
      if (operand.kind != OperandKind::buffer || (operand.direction != Direction::in) != written)
        continue;
      const std::string type = std::to_string(static_cast<int>(operand.type));
      // The number of sums that a reduction produces is not compared.
      shapes.push_back(written ? type : type + "|" + operand.rows + "|" + operand.extent);
    }
    return shapes;
  };
  return buffers(main, false) == buffers(other, false) &&
         buffers(main, true) == buffers(other, true);
}

compile::Bindings companionTunables(const compile::KernelSpec& companion,
                                    const compile::Plan& main) {
  const BlockOutputs outputs = outputsOfBlock(main);
  compile::Bindings tunables;
  const auto mains = [&](const std::string& name) -> std::optional<int64_t> {
    const auto found = main.tunables.find(name);
    return found == main.tunables.end() ? std::nullopt : std::optional(found->second);
  };
  const auto made = [&](const std::string& name) -> std::optional<int64_t> {
    if (outputs.rows == 0) return std::nullopt;
    if (name == "BLOCK_X" || name == "TILE_N" || name == "TILE_WIDTH") return outputs.columns;
    if (name == "BLOCK_Y" || name == "TILE_M") return outputs.rows;
    if (name == "TILE_K") return phaseLengthOf(main);
    return std::nullopt;
  };
  // Blocks are matched by the elements that they compute, because each thread of the other kernel
  // may compute several.
  const bool alike = std::ranges::all_of(
      companion.tunables, [&](const auto& tunable) { return mains(tunable.name).has_value(); });
  for (const compile::TunableSpec& tunable : companion.tunables) {
    const std::optional<int64_t> same = mains(tunable.name), shaped = made(tunable.name);
    const bool isTile = tunable.name == "TILE_WIDTH";
    const std::optional<int64_t> value =
        same && (isTile || !shaped || (alike && companion.tunables.size() == main.tunables.size()))
            ? same
            : shaped;
    tunables[tunable.name] = compile::nearestValue(tunable, value.value_or(smallValue(tunable)));
  }
  // A tile with several elements per thread may need more threads than a block can have.
  const auto x = tunables.find("BLOCK_X"), y = tunables.find("BLOCK_Y");
  while (x != tunables.end() && y != tunables.end() && x->second * y->second > kMostThreads) {
    int64_t& longer = x->second > y->second ? x->second : y->second;
    longer = (longer + 1) / 2;
  }
  return tunables;
}

compile::Bindings tunablesInBlocksOf(const compile::KernelSpec& companion,
                                     const compile::Plan& main) {
  compile::Bindings tunables = companionTunables(companion, main);
  if (main.launches.empty() || !tunables.contains("BLOCK_X") || !tunables.contains("BLOCK_Y"))
    return tunables;
  const Dim3& block = main.launches.front().block;
  for (const compile::TunableSpec& tunable : companion.tunables) {
    if (tunable.name == "BLOCK_X") tunables["BLOCK_X"] = compile::nearestValue(tunable, block.x);
    if (tunable.name == "BLOCK_Y") tunables["BLOCK_Y"] = compile::nearestValue(tunable, block.y);
  }
  return tunables;
}

namespace {

/// The longest side of a block's outputs or of its phases; 0 if the outputs have no rows.
int64_t tileSideOf(const Choice& choice, const compile::KernelSpec& spec, const Limits& limits) {
  const auto outcome =
      compile::Planner(spec, limits).attempt(allOf(spec, spec.sizes, tunablesOf(choice, spec)));
  const auto* plan = std::get_if<compile::Plan>(&outcome);
  if (plan == nullptr) return 0;
  const BlockOutputs outputs = outputsOfBlock(*plan);
  if (outputs.rows == 0) return 0;
  return std::max<int64_t>({outputs.rows, outputs.columns, phaseLengthOf(*plan)});
}

}  // namespace

void followOutgrownTile(const Choice& before, Choice& choice, const compile::KernelSpec& spec,
                        const Limits& limits) {
  const int64_t side = tileSideOf(choice, spec, limits);
  if (side <= tileSideOf(before, spec, limits)) return;
  const auto isFilled = [&](const auto& size) {
    return spec.sizes.contains(size.first) && size.second <= side;
  };
  if (side < kLargestAutomaticScene && std::ranges::any_of(choice.scene.values, isFilled))
    choice.scene.values.clear();
}

bool haveEqualBlocks(const compile::Plan& a, const compile::Plan& b) {
  if (a.launches.empty() || b.launches.empty()) return a.launches.empty() == b.launches.empty();
  return a.launches.front().block == b.launches.front().block;
}

bool sameBlocks(const compile::Plan& a, const compile::Plan& b) {
  const BlockOutputs one = outputsOfBlock(a), other = outputsOfBlock(b);
  return one.rows == other.rows && one.columns == other.columns;
}

Dim3 comparisonBlockFor(const compile::Plan& main, const Dim3& block, const compile::Plan& other) {
  const BlockOutputs from = outputsOfBlock(main), to = outputsOfBlock(other);
  if (from.rows == 0 || to.rows == 0 || from.columns == 0 || to.columns == 0) return block;
  return {static_cast<uint32_t>(uint64_t{block.x} * from.columns / to.columns),
          static_cast<uint32_t>(uint64_t{block.y} * from.rows / to.rows), block.z};
}

std::string differenceOf(const compile::KernelSpec& spec, const compile::Bindings& of,
                         const compile::Bindings& to) {
  std::string text;
  for (const compile::TunableSpec& tunable : spec.tunables) {
    const auto mine = of.find(tunable.name), other = to.find(tunable.name);
    if (mine == of.end() || (other != to.end() && other->second == mine->second)) continue;
    const auto at = std::ranges::find(tunable.values, mine->second) - tunable.values.begin();
    const bool named = static_cast<size_t>(at) < tunable.names.size();
    text +=
        (text.empty() ? "" : ", ") + (named ? tunable.names[static_cast<size_t>(at)]
                                            : tunable.name + " " + std::to_string(mine->second));
  }
  return text;
}

std::optional<PadSwitch> padSwitchOf(const compile::KernelSpec& spec,
                                     const compile::Bindings& tunables) {
  for (const compile::TunableSpec& tunable : spec.tunables) {
    if (tunable.name == "PAD" && tunable.minimum <= 0 && tunable.maximum >= 1)
      return PadSwitch{tunable.name, 0, 1};
    const auto valueOf = [&](const char* name) -> std::optional<int64_t> {
      const auto at = std::ranges::find(tunable.names, name) - tunable.names.begin();
      if (static_cast<size_t>(at) >= std::min(tunable.names.size(), tunable.values.size()))
        return std::nullopt;
      return tunable.values[static_cast<size_t>(at)];
    };
    const std::optional<int64_t> padded = valueOf("padded"), tiled = valueOf("tiled");
    const auto now = tunables.find(tunable.name);
    if (padded && tiled && now != tunables.end() &&
        (now->second == *padded || now->second == *tiled))
      return PadSwitch{tunable.name, *tiled, *padded};
  }
  return std::nullopt;
}

int64_t phaseLengthOf(const compile::Plan& main) {
  return main.phaseLength > 0 ? main.phaseLength : kSmallTunable;
}

std::optional<LegalValue> nearestLegal(const compile::KernelSpec& spec,
                                       const compile::Bindings& sizes,
                                       const compile::Bindings& tunables,
                                       const std::vector<std::string>& names,
                                       const Limits& limits) {
  constexpr int64_t kFarthest = 2048;
  compile::Planner planner(spec, limits);
  for (const std::string& name : names) {
    const auto tunable = std::ranges::find(spec.tunables, name, &compile::TunableSpec::name);
    if (tunable == spec.tunables.end()) continue;
    compile::Bindings all = allOf(spec, sizes, tunables);
    const int64_t asked = all[name];
    const int64_t from = std::clamp(asked, tunable->minimum, tunable->maximum);
    for (int64_t distance = 0; distance <= kFarthest; ++distance) {
      for (const int64_t value : {from - distance, from + distance}) {
        if (value == asked || value < tunable->minimum || value > tunable->maximum) continue;
        if (planner.work() >= kMostWork) return std::nullopt;
        all[name] = value;
        if (std::holds_alternative<compile::Plan>(planner.attempt(all)))
          return LegalValue{name, value};
      }
    }
  }
  return std::nullopt;
}

Dim3 clampToGrid(const Dim3& block, const Dim3& grid) {
  const auto inside = [](uint32_t index, uint32_t count) { return std::min(index, count - 1); };
  return {inside(block.x, grid.x), inside(block.y, grid.y), inside(block.z, grid.z)};
}

}  // namespace tilestep::model
