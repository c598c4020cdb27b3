// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "lab/experiment.h"
#include "model/choice/choice.h"

/// Derives experiments from a choice. Pure functions.
namespace tilestep::model {

/// The longest side of a traced matrix.
constexpr int64_t kMaxSceneSize = 4096;

/// True if interpreting this grid would take longer than the response to a slider should (a product
/// of 512 x 512 takes about a second). The interpreter then runs only the chosen block, and a GPU's
/// outputs are not compared with float64.
[[nodiscard]] bool isLarge(const compile::Plan& plan);

/// For large grids, a GPU sends averaged outputs with this many values per side.
constexpr uint32_t kOutputSide = 1024;

/// The limit for the trace of a block of a large grid. The window keeps two traces and the data
/// derived from them.
constexpr uint64_t kLargeTraceBytes = uint64_t{48} << 20;

/// The chosen tunables. Tunables that were not chosen are small, so that the first scene has
/// several blocks and phases.
[[nodiscard]] compile::Bindings tunablesOf(const Choice& choice, const compile::KernelSpec& spec);

/// The chosen sizes of the scene. By default they are two tiles per side (8 to 64), so that a tile
/// slider always shows several blocks and several phases.
[[nodiscard]] compile::Bindings sceneSizesOf(const Choice& choice, const compile::KernelSpec& spec,
                                             const Limits& limits);

/// Call after a change of tunables from those in `before`. If the tile has grown until it fills a
/// chosen size (such as 4 x 4), the sizes are reset to their defaults, so that several blocks and
/// phases are visible again.
void followOutgrownTile(const Choice& before, Choice& choice, const compile::KernelSpec& spec,
                        const Limits& limits);

/// The measured sizes of this kernel. Sizes that were not chosen have the kernel's defaults.
[[nodiscard]] compile::Bindings measureSizesOf(const Choice& choice,
                                               const compile::KernelSpec& spec);

/// The rows and columns of the first output that one block computes; 0 if the kernel has no output
/// with rows.
struct BlockOutputs {
  uint32_t rows = 0, columns = 0;
};
[[nodiscard]] BlockOutputs outputsOfBlock(const compile::Plan& plan);

/// Whether `other` can be the companion of `main`, because both can do the same work. It must have
/// the same sizes, inputs of the same types and shapes, and as many outputs of the same types. The
/// front matter of the two must not declare different results.
[[nodiscard]] bool canBeCompared(const compile::KernelSpec& main, const compile::KernelSpec& other);

/// All tunables of the companion for the same work: its blocks compute the same elements as the
/// main kernel's, and shared tunables have the main kernel's values.
[[nodiscard]] compile::Bindings companionTunables(const compile::KernelSpec& companion,
                                                  const compile::Plan& main);

/// The same, but with blocks of the main kernel's shape, if the companion's tunables determine its
/// block shape. The results differ if a thread computes several elements.
[[nodiscard]] compile::Bindings tunablesInBlocksOf(const compile::KernelSpec& companion,
                                                   const compile::Plan& main);

/// Whether the blocks of the first launches have the same shape.
[[nodiscard]] bool haveEqualBlocks(const compile::Plan& a, const compile::Plan& b);

/// Whether blocks with the same index compute the same output elements.
[[nodiscard]] bool sameBlocks(const compile::Plan& a, const compile::Plan& b);

/// The block of `other` that computes the first element that `block` of `main` computes; the block
/// with the same index if outputs have no rows.
[[nodiscard]] Dim3 comparisonBlockFor(const compile::Plan& main, const Dim3& block,
                                      const compile::Plan& other);

/// The tunables in which experiment `of` of a kernel differs from `to`: "TILE_WIDTH 2", "padded";
/// empty if they are equal.
[[nodiscard]] std::string differenceOf(const compile::KernelSpec& spec, const compile::Bindings& of,
                                       const compile::Bindings& to);

/// The tunable that pads a kernel's tiles by one column: PAD, or a tunable with a value named
/// "padded".
struct PadSwitch {
  std::string tunable;
  int64_t without = 0, with = 1;  ///< The tunable's values.
};
/// Absent if the kernel has no such tunable, or if these tunables give it no tiles.
[[nodiscard]] std::optional<PadSwitch> padSwitchOf(const compile::KernelSpec& spec,
                                                   const compile::Bindings& tunables);

/// The length along k of one phase of the main kernel; the companion is cut at the same length.
[[nodiscard]] int64_t phaseLengthOf(const compile::Plan& main);

struct LegalValue {
  std::string tunable;
  int64_t value = 0;
  bool operator==(const LegalValue&) const = default;
};
/// Tries the tunables `names` in order, and returns the first that makes the choice legal when it
/// alone changes. Its value is the legal value nearest to, but different from, the value in
/// `tunables`. Absent if there is none, or if none is found within a few thousand attempts in
/// total.
[[nodiscard]] std::optional<LegalValue> nearestLegal(const compile::KernelSpec& spec,
                                                     const compile::Bindings& sizes,
                                                     const compile::Bindings& tunables,
                                                     const std::vector<std::string>& names,
                                                     const Limits& limits);

[[nodiscard]] Dim3 clampToGrid(const Dim3& block, const Dim3& grid);

}  // namespace tilestep::model
