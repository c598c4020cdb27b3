// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "features/names.h"
#include "gfx/scene.h"
#include "model/scene/traced_kernel.h"

/// Scenes in which cells and links are too many to distinguish.
namespace tilestep::features {

/// Whether a block has too many threads, slots or sums to draw each of its links.
[[nodiscard]] bool isOverview(const model::TracedStep& step);

/// Accesses of one kind between two grids. An index of -1 represents the threads.
struct Flow {
  enum class Kind : uint8_t { load, read, store };
  Kind kind = Kind::load;
  int16_t from = -1, to = -1;
  auto operator<=>(const Flow&) const = default;
};
/// How many elements move along each flow in the step.
[[nodiscard]] std::map<Flow, uint64_t> flowsOf(const model::TracedStep& step);

/// Counts the links of a step that have the same two ends.
class Ribbons {
 public:
  /// `what` is a plural such as "loads", and must outlive this object.
  void add(const gfx::Place& from, const gfx::Place& to, const char* what);
  /// All ribbons. Their widths are proportional to their fraction of the largest flow in both
  /// steps; `comparison` may be null.
  [[nodiscard]] std::vector<gfx::Ribbon> all(const model::TracedStep& step,
                                             const model::TracedStep* comparison) const;

 private:
  struct Counted {
    gfx::Ribbon ribbon;
    uint64_t count = 0;
    const char* what = "";
  };
  std::map<std::tuple<gfx::Place::In, uint32_t, gfx::Place::In, uint32_t>, Counted> byEnds_;
};

/// Up to four threads of the block, with their accesses in the step. Both steps have the same
/// scale; `comparison` may be null. Absent if the step accesses no memory.
[[nodiscard]] std::optional<gfx::Sample> sampleOf(const model::TracedStep& step,
                                                  const model::TracedStep* comparison);

}  // namespace tilestep::features
