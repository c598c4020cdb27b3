// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compile/kernel.h"
#include "lab/experiment.h"
#include "model/choice/choice.h"

/// From a choice to the experiments it asks for. Pure.
namespace tilestep::model {

/// Longest side of a traced matrix.
constexpr int64_t kMaxSceneSize = 4096;

/// The interpreter would run this grid for longer than a slider's answer should take (a product of
/// 512 x 512 takes about a second): it then runs the chosen block alone, and a GPU's outputs are
/// not compared with float64.
[[nodiscard]] bool isLarge(const compile::Plan& plan);

/// Values a side of such outputs that a GPU sends: means.
constexpr uint32_t kOutputSide = 1024;

/// Bytes of a trace of such a block: two of them, and what is made of them, stay in the window.
constexpr uint64_t kLargeTraceBytes = uint64_t{48} << 20;

/// The tunables of `kernel` as chosen; small ones where nothing was chosen, so that the first scene
/// has several blocks and phases.
[[nodiscard]] compile::Bindings tunablesOf(const Choice& choice, const compile::KernelSpec& spec);

/// The scene's sizes: as chosen, else two tiles a side (8 to 64), so that a tile slider always
/// shows several blocks and several phases.
[[nodiscard]] compile::Bindings sceneSizesOf(const Choice& choice, const compile::KernelSpec& spec,
                                             const Limits& limits);

/// The measured sizes of this kernel; sizes the choice does not name take the kernel's defaults.
[[nodiscard]] compile::Bindings measureSizesOf(const Choice& choice,
                                               const compile::KernelSpec& spec);

/// Elements of the first output that one block computes, along rows and columns; 0 where the
/// kernel has no output with rows.
struct BlockOutputs {
  uint32_t rows = 0, columns = 0;
};
[[nodiscard]] BlockOutputs outputsOfBlock(const compile::Plan& plan);

/// Whether `other` can stand beside `main`: it has the same sizes, reads the same inputs (types and
/// shapes) and makes as many outputs of the same types, so that both can do the same work.
[[nodiscard]] bool fitsBeside(const compile::KernelSpec& main, const compile::KernelSpec& other);

/// The same work for the kernel beside it, every tunable: blocks that make the elements that the
/// main kernel's make, and its tunables where both have them.
[[nodiscard]] compile::Bindings companionTunables(const compile::KernelSpec& companion,
                                                  const compile::Plan& main);

/// Whether blocks of one index make the same elements of the output.
[[nodiscard]] bool sameBlocks(const compile::Plan& a, const compile::Plan& b);

/// The block of `other` that makes the first element that `block` of `main` makes; the one of the
/// same index where outputs have no rows.
[[nodiscard]] Dim3 blockBeside(const compile::Plan& main, const Dim3& block,
                               const compile::Plan& other);

/// Tunables in which two experiments of one kernel differ: "TILE_WIDTH 2", "padded"; empty where
/// they do not.
[[nodiscard]] std::string differenceOf(const compile::KernelSpec& spec, const compile::Bindings& of,
                                       const compile::Bindings& to);

/// The tunable that pads a kernel's tiles by one column: PAD, or one with a value named "padded".
struct PadSwitch {
  std::string tunable;
  int64_t without = 0, with = 1;  ///< Its values.
};
/// Nothing where it has none, or where its tunables give it no tiles.
[[nodiscard]] std::optional<PadSwitch> padSwitchOf(const compile::KernelSpec& spec,
                                                   const compile::Bindings& tunables);

/// k covered by one phase of the main kernel: where its companion is cut.
[[nodiscard]] int64_t phaseLengthOf(const compile::Plan& main);

/// The legal value of tunable `name` nearest to the one in `tunables`; nothing when there is none.
[[nodiscard]] std::optional<int64_t> nearestLegal(const compile::KernelSpec& spec,
                                                  const compile::Bindings& sizes,
                                                  compile::Bindings tunables,
                                                  const std::string& name, const Limits& limits);

/// `block` moved into the grid.
[[nodiscard]] Dim3 clampToGrid(const Dim3& block, const Dim3& grid);

}  // namespace tilestep::model
