// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "features/names.h"
#include "model/scene/traced_kernel.h"

/// How a block adds up an array, derived only from its trace: from the addresses and values of each
/// thread's loads and stores. Independent of the kernel's formula.
namespace tilestep::features {

inline constexpr size_t kNoSum = std::numeric_limits<size_t>::max();

/// An element of shared or global memory.
struct SumPlace {
  bool shared = false;
  int16_t buffer = -1;  ///< Index of a shared array, or of an operand.
  uint32_t offset = 0;  ///< In bytes.
  bool operator==(const SumPlace&) const = default;
  /// Orders by memory, array and offset.
  bool operator<(const SumPlace& other) const {
    return std::tie(shared, buffer, offset) < std::tie(other.shared, other.buffer, other.offset);
  }
};

struct SumTerm {
  SumPlace place;  ///< Its source address or, if kept, the address stored to.
  double value = 0;
  bool kept = false;     ///< The thread still had the value in a register.
  uint32_t event = 0;    ///< The event of the load; for a kept term, of the store.
  size_t made = kNoSum;  ///< The sum that made this value; kNoSum if the block did not store it.
  bool inArray = false;  ///< The term is in the summed array.
};

/// A value that a thread stored, and its terms.
struct Sum {
  SumPlace place;
  double value = 0;
  uint32_t thread = 0;
  uint32_t event = 0;          ///< The event of the store.
  std::vector<SumTerm> terms;  ///< One for a copy; none if not a sum of loads.
  bool inArray = false;        ///< The sum is stored into the summed array.
  bool needed = true;          ///< The sum contributes to a value that the block stores elsewhere.
};

enum class SumStep : uint8_t {
  fill,    ///< The array receives its first values.
  add,     ///< Elements of the array are added to others.
  result,  ///< The sum leaves the array.
};

/// Independent sums: no sum of a row is a term of another. Rows are ordered by how their sums
/// depend on each other, so a row is one round of the reduction.
struct SumRow {
  SumStep step = SumStep::add;
  std::vector<size_t> sums;                ///< Indices in SumTree::sums, in the order of the trace.
  std::vector<uint32_t> distances;         ///< From elements to their addends; ascending, distinct.
  std::vector<uint32_t> events;            ///< Events of the loads and stores, ascending.
  std::vector<uint32_t> masks;             ///< The lanes that load or store, by warp.
  std::vector<uint32_t> lines;             ///< Source lines, ascending, without duplicates.
  uint64_t additions = 0;                  ///< Number of additions of loaded values.
  uint64_t needed = 0;                     ///< Number of the row's sums that are needed.
  uint64_t wavefronts = 0, conflicts = 0;  ///< In the row's accesses to shared memory.
  uint64_t sectors = 0;                    ///< In the row's accesses to global memory.

  [[nodiscard]] uint32_t threads() const;  ///< Threads that load or store.
  [[nodiscard]] uint32_t warps() const;    ///< Warps with such threads.
};

/// Immutable.
struct SumTree {
  std::string array;              ///< "sums"; empty if the block does not add elements of an array.
  bool shared = false;            ///< Whether the array is in shared memory.
  uint32_t first = 0, count = 0;  ///< The block's part of the array.
  uint32_t width = 4;             ///< Bytes per element.
  uint32_t threads = 0;           ///< Number of threads in the block.
  std::vector<Sum> sums;          ///< In the order of the trace.
  std::vector<SumRow> rows;
  /// Number of stored values that are not sums of values loaded by their threads.
  uint64_t unexplained = 0;

  /// The index of an element, counted from `first`.
  [[nodiscard]] uint32_t column(const SumPlace& place) const {
    return place.offset / width - first;
  }
};
[[nodiscard]] SumTree sumTreeOf(const TracedKernel& kernel);

/// Makes the rows of `tree` from its sums, whose `inArray` and `needed` must be set.
[[nodiscard]] std::vector<SumRow> sumRowsOf(const TracedKernel& kernel, const SumTree& tree);

/// "sums[4]", "work[260]", "in[0]"
[[nodiscard]] std::string placeName(const TracedKernel& kernel, const SumPlace& place,
                                    uint32_t width);

}  // namespace tilestep::features
