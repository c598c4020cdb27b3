// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "lab/expected.h"
#include "model/scene/traced_kernel.h"

/// Finds the threads that wrote an output element and the values that they read, from one block's
/// trace and the kernel's reference.
namespace tilestep::features {

/// The thread that stored a value, and when.
struct StoredBy {
  uint32_t thread = 0;  ///< As in trace::numberOf.
  uint32_t line = 0;    ///< Source line; 0 if unknown.
  uint32_t epoch = 0;   ///< Number of barriers that the thread had passed.
  uint32_t event = 0;   ///< Index in the recording.
  double value = 0;
};

/// A value that a thread read before its store.
struct StoryRead {
  std::string name;  ///< "M[0][3]", or a slot: "Mds[0][3]".
  uint32_t line = 0, epoch = 0, event = 0;
  double value = 0;
  std::string element;         ///< The input's element in the slot; empty if unknown or not a slot.
  std::optional<uint32_t> by;  ///< The thread of this block that wrote the value.
  bool unwritten = false;      ///< A shared slot that was never written.
  /// Another thread that writes the value in the same epoch, if the checker reported this race.
  std::optional<uint32_t> racesWith;
  /// Whether the expected output depends on the read value; absent if unknown.
  std::optional<bool> needed;
};

/// The history of an element's value.
struct ElementStory {
  uint64_t element = 0;
  std::string name;  ///< "P[0][5]"
  double expected = 0;
  bool right = false;
  std::vector<StoredBy> stores;  ///< In trace order; empty if this block never stores the element.
  std::vector<StoryRead> reads;  ///< The values read by the thread that stored the element last.
  bool cut = false;              ///< The thread read more than kMostReads values.
  /// Per input, the number of elements that the output depends on and the thread never read.
  std::vector<std::string> missing;
};
inline constexpr size_t kMostReads = 200;

/// `expected` belongs to the output operand, and `element` is an index in it.
[[nodiscard]] ElementStory storyOf(const TracedKernel& kernel, const lab::Expected& expected,
                                   uint64_t element);

/// One element of an output as the traced block leaves it.
struct OutputCell {
  enum class State : uint8_t {
    elsewhere,  ///< The block does not store it.
    unknown,    ///< An atomic operation changed it; the trace does not contain the result.
    right,
    wrong,
  };
  State state = State::elsewhere;
  double value = 0;
};

/// An output small enough to be drawn element by element.
struct OutputCells {
  lab::Expected expected;
  std::string name;
  uint64_t rows = 1, columns = 0;
  std::vector<OutputCell> cells;  ///< Row-major.
  [[nodiscard]] uint64_t wrong() const;
};
inline constexpr uint64_t kMostCells = 1024;

/// The first output that a reference judges. Absent if there is no such output, if it has too many
/// elements, or if the trace is truncated.
[[nodiscard]] std::shared_ptr<const OutputCells> outputCellsOf(const TracedKernel& kernel);

}  // namespace tilestep::features
