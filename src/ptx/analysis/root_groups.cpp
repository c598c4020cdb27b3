// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/root_groups.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace tilestep::ptx {
namespace {

class Grouping {
 public:
  explicit Grouping(std::vector<bool> exact) : exact_(std::move(exact)), first_(exact_.size()) {
    std::iota(first_.begin(), first_.end(), 0U);
  }

  RootGroups group(const RootUses& uses) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& sums : uses.alternatives) changed |= combine(sums);
      for (const auto& [a, b] : uses.additions) changed |= separate(a, b);
    }
    return {std::move(first_), std::move(exact_)};
  }

 private:
  using Groups = std::set<uint32_t>;

  /// The groups of inexact roots. Exact roots are equal in both warps and so add no distance.
  [[nodiscard]] Groups groupsOf(const RootTerms& terms) const {
    Groups groups;
    for (const auto& [root, isOne] : terms) {
      if (!exact_[root]) groups.insert(first_[root]);
    }
    return groups;
  }

  /// Requires that all these sums differ by the same distance. Returns whether this is new.
  bool combine(const std::vector<RootTerms>& sums) {
    std::vector<Groups> groups;
    bool areOne = true;
    for (const RootTerms& terms : sums) {
      groups.push_back(groupsOf(terms));
      for (const auto& [root, isOne] : terms) areOne = areOne && (isOne || exact_[root]);
    }
    Groups common = groups.front();
    for (const Groups& each : groups) {
      Groups both;
      std::ranges::set_intersection(common, each, std::inserter(both, both.end()));
      common = std::move(both);
    }
    Groups apart;
    bool isOneEach = true;
    for (const Groups& each : groups) {
      Groups own;
      std::ranges::set_difference(each, common, std::inserter(own, own.end()));
      isOneEach = isOneEach && own.size() == 1;
      apart.insert(own.begin(), own.end());
    }
    if (areOne && apart.empty()) return false;
    if (areOne && isOneEach) {
      unite(apart);
      return true;
    }
    bool changed = false;
    for (const Groups& each : groups) changed |= makeExact(each);
    return changed;
  }

  /// Makes a group exact if the sum of `a` and `b` would contain two different roots of that group.
  bool separate(const RootTerms& a, const RootTerms& b) {
    Groups bad;
    for (const auto& [one, isOne] : a) {
      for (const auto& [other, isOtherOne] : b) {
        if (one != other && !exact_[one] && !exact_[other] && first_[one] == first_[other])
          bad.insert(first_[one]);
      }
    }
    return makeExact(bad);
  }

  void unite(const Groups& groups) {
    const uint32_t first = *groups.begin();
    for (uint32_t& group : first_) {
      if (groups.contains(group)) group = first;
    }
  }

  bool makeExact(const Groups& groups) {
    bool changed = false;
    for (uint32_t root = 0; root < exact_.size(); ++root) {
      if (exact_[root] || !groups.contains(first_[root])) continue;
      exact_[root] = changed = true;
    }
    return changed;
  }

  std::vector<bool> exact_;
  std::vector<uint32_t> first_;  ///< For each root, the first root of its group.
};

}  // namespace

RootGroups groupRoots(std::vector<bool> exact, const RootUses& uses) {
  return Grouping(std::move(exact)).group(uses);
}

}  // namespace tilestep::ptx
