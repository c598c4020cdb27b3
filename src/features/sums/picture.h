// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/sums/tree.h"

/// The parts of a tree's picture that are the same at every step. Computed once per tree, so that
/// the cost of drawing a row depends only on what it shows.
namespace tilestep::features {

/// A picture shows at most this many elements, from the start of an array.
inline constexpr uint32_t kMostElements = 4096;

struct ElementRun {
  uint32_t first = 0, count = 0;
  bool operator==(const ElementRun&) const = default;
};

struct RowPicture {
  std::string name;
  std::array<std::string, 3> counts;  ///< Threads, warps, and bank conflicts or sectors.
  /// The element at which each sum is drawn. A sum outside the array is at its first addend.
  std::vector<uint32_t> columns;
  std::vector<size_t> byColumn;  ///< Indices in `columns`, ascending by column, then by event.
  uint32_t apart = 0;            ///< The least distance of two columns, or the array's length.
  /// Elements that the row does not change and that a later row reads for a needed sum.
  std::vector<ElementRun> kept;
};

struct SumPicture {
  std::vector<RowPicture> rows;    ///< By SumTree::rows.
  std::vector<std::string> names;  ///< Names of all rows, without duplicates.
};
[[nodiscard]] SumPicture sumPictureOf(const SumTree& tree);

/// When a row runs, relative to a step.
enum class RowTime : uint8_t { before, now, later };
/// By SumTree::rows, for a step from event `first` to `last`, inclusive.
[[nodiscard]] std::vector<RowTime> rowTimesOf(const SumTree& tree, uint32_t first, uint32_t last);

}  // namespace tilestep::features
