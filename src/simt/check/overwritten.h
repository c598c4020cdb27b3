// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simt/check/state.h"

namespace tilestep::simt {

/// The marks that later stores of a block replaced where it has loads that are looked at late. A
/// store that races with such a load may be followed, behind a barrier, by one that does not,
/// before the value is used. No region stands for shared memory. For one thread.
class Overwritten {
 public:
  using Marks = std::vector<OverwrittenMark>;

  void clear() { marks_.clear(); }
  /// Keeps a mark that is replaced. Of very many, the oldest are let go.
  void add(const Region* region, uint64_t granule, OverwrittenMark mark);
  /// Those of a granule, the latest last; null: there are none.
  [[nodiscard]] const Marks* at(const Region* region, uint64_t granule) const;

 private:
  struct Place {
    const Region* region;
    uint64_t granule;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    size_t operator()(const Place& place) const;
  };
  std::unordered_map<Place, Marks, Hash> marks_;
};

}  // namespace tilestep::simt
