// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/sums/tree.h"

/// The parts of a tree's picture that are the same in all steps. It is made once per tree, so that
/// drawing a row costs only as much as it shows.
namespace tilestep::features {

/// The most elements of an array that a picture shows, its first ones.
inline constexpr uint32_t kMostElements = 4096;

/// Consecutive elements of the array.
struct ElementRun {
  uint32_t first = 0, count = 0;
  bool operator==(const ElementRun&) const = default;
};

struct RowPicture {
  std::string name;
  std::array<std::string, 3> counts;  ///< Threads, warps, and bank conflicts or sectors.
  /// By SumRow::sums: the element at which the sum is drawn. For a sum outside of the array, its
  /// first addend.
  std::vector<uint32_t> columns;
  std::vector<size_t> byColumn;  ///< Indices of `columns`, ascending by column, then by event.
  uint32_t apart = 0;            ///< The least distance of two columns; with one, the whole array.
  /// Elements that the row does not change and that a later row reads for a needed sum.
  std::vector<ElementRun> kept;
};

struct SumPicture {
  std::vector<RowPicture> rows;    ///< By SumTree::rows.
  std::vector<std::string> names;  ///< For all rows, without duplicates.
};
[[nodiscard]] SumPicture sumPictureOf(const SumTree& tree);

/// When a row runs, relative to a step.
enum class RowTime : uint8_t { before, now, later };
/// By SumTree::rows, for a step from one event to another, both included.
[[nodiscard]] std::vector<RowTime> rowTimesOf(const SumTree& tree, uint32_t first, uint32_t last);

}  // namespace tilestep::features
