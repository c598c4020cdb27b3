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

/// From an output element back to the threads that wrote it and to what these had read. Everything
/// comes from the trace of one block and from the kernel's reference.
namespace tilestep::features {

/// Who stored a value, and when.
struct StoredBy {
  uint32_t thread = 0;  ///< trace::numberOf
  uint32_t line = 0;    ///< Of the source; 0: unknown.
  uint32_t epoch = 0;   ///< Barriers that the thread had passed.
  uint32_t event = 0;   ///< Of the recording.
  double value = 0;
};

/// One value that a thread read before it stored.
struct StoryRead {
  std::string name;  ///< "M[0][3]", or a slot: "Mds[0][3]".
  uint32_t line = 0, epoch = 0, event = 0;
  double value = 0;
  std::string element;         ///< Of a slot: the operand's element in it; empty: unknown.
  std::optional<uint32_t> by;  ///< The thread of this block that wrote the place before.
  bool unwritten = false;      ///< A shared slot that nothing had written.
  /// Another thread writes the place in the same epoch, and the checker found the two to race.
  std::optional<uint32_t> racesWith;
  /// Whether the element that was wanted depends on what was read; nothing where that is not known.
  std::optional<bool> needed;
};

/// How an element came to its value.
struct ElementStory {
  uint64_t element = 0;
  std::string name;  ///< "P[0][5]"
  double expected = 0;
  bool right = false;
  std::vector<StoredBy> stores;  ///< In the order of the trace; empty: this block never stores it.
  std::vector<StoryRead> reads;  ///< Of the thread that stored it last.
  bool cut = false;              ///< There are more reads than kMostReads.
  /// How many elements of each input it depends on were never read by that thread, if known.
  std::vector<std::string> missing;
};
inline constexpr size_t kMostReads = 200;

/// `expected`: of the output operand. `element` is one of its elements.
[[nodiscard]] ElementStory storyOf(const TracedKernel& kernel, const lab::Expected& expected,
                                   uint64_t element);

/// One element of an output as the traced block leaves it.
struct OutputCell {
  enum class State : uint8_t {
    elsewhere,  ///< The block does not store it.
    unknown,    ///< It is changed by an atomic operation, whose result the trace does not show.
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

/// Of the first output that a reference judges; nothing where there is none, or too many elements,
/// or a trace that was cut short by its size.
[[nodiscard]] std::shared_ptr<const OutputCells> outputCellsOf(const TracedKernel& kernel);

}  // namespace tilestep::features
