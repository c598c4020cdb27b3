// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tilestep::ptx {

/// A sum of roots (behaviour.h): for each root, whether its factor is 1.
using RootTerms = std::map<uint32_t, bool>;

/// How the program combines roots.
struct RootUses {
  /// The possible sums of values that several instructions write. Lanes may hold different sums.
  std::vector<std::vector<RootTerms>> alternatives;
  /// Sums of two values that both contain roots.
  std::vector<std::pair<RootTerms, RootTerms>> additions;
};

/// The conditions under which each value differs between two warps equally in all lanes.
struct RootGroups {
  /// For each root, the first root of its group, in which all must differ by the same distance.
  std::vector<uint32_t> groupOf;
  std::vector<bool> exact;  ///< For each root, whether it must be equal.
};

/// `exact[root]` is true if the root must be equal regardless of its uses.
///
/// If a lane's value may be root A or root B, A and B form a group: the distance between two warps
/// is the same in all lanes if A and B have the same distance. The same is true if the same other
/// roots are added to A and B, as in A + C and B + C. Roots with any other alternatives become
/// exact. So do the roots of a group of which two occur in one sum, because the sum would differ by
/// twice the distance.
[[nodiscard]] RootGroups groupRoots(std::vector<bool> exact, const RootUses& uses);

}  // namespace tilestep::ptx
