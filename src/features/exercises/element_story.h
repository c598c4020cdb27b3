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

/// Traces an output element back to the threads that wrote it and to their reads, using one block's
/// trace and the kernel's reference.
namespace tilestep::features {

/// The thread that stored a value, and its time.
struct StoredBy {
  uint32_t thread = 0;  ///< trace::numberOf
  uint32_t line = 0;    ///< Source line; 0: unknown.
  uint32_t epoch = 0;   ///< Number of barriers that the thread had passed.
  uint32_t event = 0;   ///< Index in the recording.
  double value = 0;
};

/// One value that a thread read before it stored.
struct StoryRead {
  std::string name;  ///< "M[0][3]", or a slot: "Mds[0][3]".
  uint32_t line = 0, epoch = 0, event = 0;
  double value = 0;
  std::string element;         ///< For a slot: the operand's element in it; empty: unknown.
  std::optional<uint32_t> by;  ///< The thread of this block that wrote it before.
  bool unwritten = false;      ///< A shared slot that had not been written.
  /// Another thread writes it in the same epoch, and the checker reported a race between the two.
  std::optional<uint32_t> racesWith;
  /// Whether the expected element depends on the read value; absent if unknown.
  std::optional<bool> needed;
};

/// The history of an element's value.
struct ElementStory {
  uint64_t element = 0;
  std::string name;  ///< "P[0][5]"
  double expected = 0;
  bool right = false;
  std::vector<StoredBy> stores;  ///< In the order of the trace; empty: this block never stores it.
  std::vector<StoryRead> reads;  ///< Reads of the thread that stored it last.
  bool cut = false;              ///< There are more reads than kMostReads.
  /// For each input, the number of elements that the output depends on and that the thread never
  /// read, if known.
  std::vector<std::string> missing;
};
inline constexpr size_t kMostReads = 200;

/// `expected`: the output operand's. `element` is one of its elements.
[[nodiscard]] ElementStory storyOf(const TracedKernel& kernel, const lab::Expected& expected,
                                   uint64_t element);

/// One element of an output as the traced block leaves it.
struct OutputCell {
  enum class State : uint8_t {
    elsewhere,  ///< The block does not store it.
    unknown,    ///< It is changed by an atomic operation, whose result the trace does not contain.
    right,
    wrong,
  };
  State state = State::elsewhere;
  double value = 0;
};

/// An output that is small enough to be drawn element by element.
struct OutputCells {
  lab::Expected expected;
  std::string name;
  uint64_t rows = 1, columns = 0;
  std::vector<OutputCell> cells;  ///< Row-major.
  [[nodiscard]] uint64_t wrong() const;
};
inline constexpr uint64_t kMostCells = 1024;

/// The first output that a reference judges; absent if there is none, if it has too many elements,
/// or if the trace is truncated.
[[nodiscard]] std::shared_ptr<const OutputCells> outputCellsOf(const TracedKernel& kernel);

}  // namespace tilestep::features
