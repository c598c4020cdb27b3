// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "metrics/bank_conflicts.h"
#include "metrics/coalescing.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// Selects an access of a step by its kind and its index among the accesses of that kind.
struct WarpChoice {
  std::string group;  ///< "load M"; empty for the step's first access.
  size_t index = 0;
};

struct LanePlace {
  uint32_t lane = 0;
  std::string name;  ///< "M[2][5]" or "Mds[0][1]"
};

/// The wavefronts of this access if every row of the shared array were one element longer. If the
/// rows are already padded, the wavefronts without padding.
struct Padding {
  uint32_t wavefronts = 0;
  bool without = false;
};

/// A warp instruction of a step: 32 lanes against sectors or banks. From the trace. Immutable.
struct WarpView {
  std::vector<std::string> groups;  ///< The kinds of the step's accesses, in their order.
  size_t group = 0;                 ///< The selected kind.
  size_t index = 0, size = 0;       ///< Index and count among the accesses of that kind.

  uint32_t warp = 0, line = 0, width = 0;
  trace::Space space = trace::Space::none;
  /// The active lanes, ascending. The members below contain indices in this list.
  std::vector<LanePlace> lanes;
  /// Global memory.
  metrics::Coalescing global;
  uint32_t idealSectors = 0;  ///< The fewest sectors that could contain the bytes.
  /// Shared memory.
  metrics::BankUse shared;
  std::optional<Padding> padding;  ///< Absent if the rows of the array are unknown.
  std::string verdict;             ///< One or two sentences with this access's numbers.
};

/// Null if the step accesses neither global nor shared memory. If the step does not have the chosen
/// access, shows one that it has.
[[nodiscard]] std::shared_ptr<const WarpView> warpViewOf(const TracedStep& step,
                                                         const WarpChoice& choice);

}  // namespace tilestep::features
