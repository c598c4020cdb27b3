// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "metrics/bank_conflicts.h"
#include "metrics/coalescing.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// Which of a step's accesses is looked at: by what they do, and its place among those alike.
struct WarpChoice {
  std::string group;  ///< "load M"; empty: the step's first.
  size_t index = 0;
};

/// What a lane of the access touches.
struct LanePlace {
  uint32_t lane = 0;
  std::string name;  ///< "M[2][5]" or "Mds[0][1]"
};

/// What padding every row of the shared array by one element would do to this access; where its
/// rows are padded already, what it would be without.
struct Padding {
  uint32_t wavefronts = 0;
  bool without = false;
};

/// One warp instruction of a step against the memory: 32 lanes against sectors or banks. Made from
/// the recorded offsets alone. Never changes.
struct WarpView {
  std::vector<std::string> groups;  ///< What the step's accesses do, in their order, each once.
  size_t group = 0;                 ///< Of these the one looked at.
  size_t index = 0, size = 0;       ///< Its place among the group's accesses.

  uint32_t warp = 0, line = 0, width = 0;
  trace::Space space = trace::Space::none;
  std::vector<LanePlace> lanes;  ///< Active ones, ascending; indices below are into this list.
  /// Global memory.
  metrics::Coalescing global;
  uint32_t idealSectors = 0;  ///< For the distinct bytes asked for.
  /// Shared memory.
  metrics::BankUse shared;
  std::optional<Padding> padding;  ///< Where the array's rows are known.
  std::string verdict;             ///< One or two sentences with this access's numbers.
};

/// Null where the step touches neither global nor shared memory. A choice that the step does not
/// have falls back to what it does have.
[[nodiscard]] std::shared_ptr<const WarpView> warpViewOf(const TracedStep& step,
                                                         const WarpChoice& choice);

}  // namespace tilestep::model
