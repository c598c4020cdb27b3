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

/// How a block adds up an array, derived from its trace alone: from the addresses and values of
/// each thread's loads and stores. It does not use the kernel's formula.
namespace tilestep::features {

inline constexpr size_t kNoSum = std::numeric_limits<size_t>::max();

/// An element of shared or global memory.
struct SumPlace {
  bool shared = false;
  int16_t buffer = -1;  ///< A shared array, or an operand.
  uint32_t offset = 0;  ///< Bytes.
  bool operator==(const SumPlace&) const = default;
  /// By memory, array and offset.
  bool operator<(const SumPlace& other) const {
    return std::tie(shared, buffer, offset) < std::tie(other.shared, other.buffer, other.offset);
  }
};

/// One of the terms of a sum.
struct SumTerm {
  SumPlace place;  ///< It was loaded from here; a kept one was stored here by the thread.
  double value = 0;
  bool kept = false;     ///< The thread still had it in a register.
  uint32_t event = 0;    ///< The load in the recording; for a kept one, the store.
  size_t made = kNoSum;  ///< The sum that is this value; kNoSum: the block did not store it.
  bool inArray = false;  ///< It is in the summed array.
};

/// A value that a thread stored, and its terms.
struct Sum {
  SumPlace place;
  double value = 0;
  uint32_t thread = 0;
  uint32_t event = 0;          ///< The store, in the recording.
  std::vector<SumTerm> terms;  ///< One: it was copied. None: a constant, or not a sum of loads.
  bool inArray = false;        ///< It is stored into the summed array.
  bool needed = true;          ///< It contributes to a value that the block stores elsewhere.
};

/// The event that a row of the picture shows.
enum class SumStep : uint8_t {
  fill,    ///< The array receives its first values.
  add,     ///< Elements of the array are added to others.
  result,  ///< The sum leaves the array.
};

/// Sums of which none is a term of another. Rows follow one another as their sums depend on each
/// other, so that a row is one round of the reduction.
struct SumRow {
  SumStep step = SumStep::add;
  std::vector<size_t> sums;  ///< Indices of SumTree::sums, in the order of the trace.
  std::vector<uint32_t>
      distances;                 ///< From an element to its addend; ascending, without duplicates.
  std::vector<uint32_t> events;  ///< The loads and stores, in the recording; ascending.
  std::vector<uint32_t> masks;   ///< By warp: the lanes that load or store.
  std::vector<uint32_t> lines;   ///< Source lines, ascending, without duplicates.
  uint64_t additions = 0;        ///< Loaded values that were added to others.
  uint64_t needed = 0;           ///< Sums of the row that are needed.
  uint64_t wavefronts = 0, conflicts = 0;  ///< Of the row's accesses to shared memory.
  uint64_t sectors = 0;                    ///< Of the row's accesses to global memory.

  [[nodiscard]] uint32_t threads() const;  ///< Threads that load or store.
  [[nodiscard]] uint32_t warps() const;    ///< Warps that have such a thread.
};

/// Immutable.
struct SumTree {
  std::string array;              ///< "sums"; empty: the block adds no elements of an array.
  bool shared = false;            ///< Whether the array is in shared memory.
  uint32_t first = 0, count = 0;  ///< The block's elements of the array.
  uint32_t width = 4;             ///< Bytes of an element.
  uint32_t threads = 0;           ///< Number of threads in the block.
  std::vector<Sum> sums;          ///< In the order of the trace.
  std::vector<SumRow> rows;
  /// Stores whose value is not a sum of values that their thread loaded.
  uint64_t unexplained = 0;

  /// The number of an element of the array, counted from its `first`.
  [[nodiscard]] uint32_t column(const SumPlace& place) const {
    return place.offset / width - first;
  }
};
[[nodiscard]] SumTree sumTreeOf(const TracedKernel& kernel);

/// The rows of `tree`, from its sums, whose `inArray` and `needed` must be set.
[[nodiscard]] std::vector<SumRow> sumRowsOf(const TracedKernel& kernel, const SumTree& tree);

/// "sums[4]", "work[260]", "in[0]"
[[nodiscard]] std::string placeName(const TracedKernel& kernel, const SumPlace& place,
                                    uint32_t width);

}  // namespace tilestep::features
