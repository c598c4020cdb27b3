// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

namespace tilestep::trace {

/// Lines of a program's PTX with branches: those that a launch came to, and among them those at
/// which lanes of a warp parted. Only branches with a guard or a table are noted.
struct BranchLines {
  std::set<uint32_t> reached, parted;

  /// Takes over those of another part of the launch.
  void merge(BranchLines& other) {
    reached.merge(other.reached);
    parted.merge(other.parted);
  }
  bool operator==(const BranchLines&) const = default;
};

}  // namespace tilestep::trace
