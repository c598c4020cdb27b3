// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/dim3.h"

namespace tilestep::simt {

struct Setup;

/// One of a hazard's two accesses, as reports show it.
struct HazardSite {
  uint32_t line = 0;
  Dim3 thread{0, 0, 0};
  Dim3 block{0, 0, 0};
};

/// Two unordered accesses to one place, at least one of them a write, not both atomic.
struct Hazard {
  std::string kind;   ///< "read-after-write", "write-after-read", "write-after-write"
  std::string space;  ///< "shared" or "global"
  HazardSite first, second;
  uint32_t epoch = 0;
  uint64_t count = 0;
  std::string message;  ///< "line 21 reads what line 14 writes; no barrier between them …"
  std::string place;    ///< "bins[0]"
};

enum class HazardKind : uint8_t { readAfterWrite, writeAfterRead, writeAfterWrite };

struct HazardAccess {
  uint32_t site = 0;
  uint32_t thread = 0;  ///< Number in the block.
  uint64_t block = 0;   ///< Number in the grid.
};

/// The hazards found so far: one entry for each pair of instructions, kind and space, from the
/// lowest block.
class HazardTable {
 public:
  struct Entry {
    HazardKind kind = HazardKind::readAfterWrite;
    HazardAccess first, second;
    uint32_t epoch = 0;
    int region = -1;  ///< The region of global memory; -1: shared memory.
    uint64_t offset = 0;
    uint32_t elementBytes = 0;
    uint64_t count = 1;
  };
  void add(const Entry& entry);
  /// Two threads have written the same value to one place of global memory without an order: not a
  /// hazard.
  void addEqualWrites(uint32_t firstSite, uint32_t secondSite) {
    equalWrites_.insert({firstSite, secondSite});
  }
  void merge(const HazardTable& other);
  /// One for each kind, space and pair of lines, in the order of the lines.
  [[nodiscard]] std::vector<Hazard> list(const Setup& setup) const;
  /// The lines of equal writes, ascending.
  [[nodiscard]] std::vector<uint32_t> equalWriteLines(const Setup& setup) const;

 private:
  std::unordered_map<uint64_t, Entry> entries_;
  uint64_t lastKey_ = ~uint64_t{0};
  Entry* last_ = nullptr;           ///< A map's elements keep their addresses.
  std::set<uint32_t> equalWrites_;  ///< Sites.
};

/// Adds to the hazards of an earlier launch.
void addHazards(std::vector<Hazard>& to, const std::vector<Hazard>& from);

}  // namespace tilestep::simt
