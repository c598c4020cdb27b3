// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/sums/tree.h"

/// The parts of a tree's picture that are the same in all steps. It is made once for a
/// tree, so that drawing a row costs what that row shows.
namespace tilestep::features {

/// A picture shows at most so many elements of an array, its first ones.
inline constexpr uint32_t kMostElements = 4096;

/// Elements of the array that follow one another.
struct ElementRun {
  uint32_t first = 0, count = 0;
  bool operator==(const ElementRun&) const = default;
};

struct RowPicture {
  std::string name;
  std::array<std::string, 3> counts;  ///< Threads, warps, and bank conflicts or sectors.
  /// By SumRow::sums: the element at which the sum is drawn. That of a sum outside of the array is
  /// its first addend.
  std::vector<uint32_t> columns;
  std::vector<size_t> byColumn;  ///< Indices of `columns`, ascending by column, then by event.
  uint32_t apart = 0;            ///< The least distance of two columns; with one, the whole array.
  std::vector<ElementRun> kept;  ///< Elements that the row leaves as they are and that a later row
                                 ///< reads for a sum that is needed.
};

struct SumPicture {
  std::vector<RowPicture> rows;    ///< By SumTree::rows.
  std::vector<std::string> names;  ///< Of all rows, each once.
};
[[nodiscard]] SumPicture sumPictureOf(const SumTree& tree);

/// When a row runs, as seen from a step.
enum class RowTime : uint8_t { before, now, later };
/// By SumTree::rows, for a step from one event to another, both included.
[[nodiscard]] std::vector<RowTime> rowTimesOf(const SumTree& tree, uint32_t first, uint32_t last);

}  // namespace tilestep::features
