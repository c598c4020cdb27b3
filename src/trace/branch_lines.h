// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

namespace tilestep::trace {

/// PTX lines of branches that a launch reached (`reached`) and at which lanes of a warp diverged
/// (`parted`). Only guarded branches and branches through a table are recorded.
struct BranchLines {
  std::set<uint32_t> reached, parted;

  void merge(BranchLines& other) {
    reached.merge(other.reached);
    parted.merge(other.parted);
  }
  bool operator==(const BranchLines&) const = default;
};

}  // namespace tilestep::trace
