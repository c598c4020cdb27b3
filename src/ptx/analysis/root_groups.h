// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tilestep::ptx {

/// A value that is a sum of roots (behaviour.h): by root, whether its factor is 1.
using RootTerms = std::map<uint32_t, bool>;

/// How the program combines roots.
struct RootUses {
  /// For values that several instructions write: the possible sums. Lanes may hold different ones.
  std::vector<std::vector<RootTerms>> alternatives;
  /// Sums of two values that both contain roots.
  std::vector<std::pair<RootTerms, RootTerms>> additions;
};

/// The conditions under which all values differ between two warps by one distance in all lanes.
struct RootGroups {
  /// By root: the first root of its group. All roots of a group must differ by one distance.
  std::vector<uint32_t> groupOf;
  std::vector<bool> exact;  ///< By root: it must be equal.
};

/// `exact[root]`: the root must be equal in any case.
///
/// If a lane's value is root A or root B, the distance between two warps is the same in all lanes
/// if A and B have one distance, so they form a group. The same holds if both are added to the same
/// other roots, as in A + C and B + C. All other alternatives of different roots make these exact,
/// and so does a sum of two roots of one group, which would differ by twice the distance.
[[nodiscard]] RootGroups groupRoots(std::vector<bool> exact, const RootUses& uses);

}  // namespace tilestep::ptx
