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

struct HazardSite {
  uint32_t line = 0;
  Dim3 thread{0, 0, 0};
  Dim3 block{0, 0, 0};
};

/// Two unordered accesses to the same memory, at least one a write and at least one not atomic.
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
  uint32_t thread = 0;  ///< Index in the block.
  uint64_t block = 0;   ///< Index in the grid.
};

/// The hazards found so far. There is one entry, from the lowest block, for each combination of two
/// instructions, kind and space.
class HazardTable {
 public:
  struct Entry {
    HazardKind kind = HazardKind::readAfterWrite;
    HazardAccess first, second;
    uint32_t epoch = 0;
    int region = -1;  ///< The region of global memory, or -1 for shared memory.
    uint64_t offset = 0;
    uint32_t elementBytes = 0;
    uint64_t count = 1;
  };
  void add(const Entry& entry);
  /// Unordered threads have written the same value to one global address. This is not a hazard.
  void addEqualWrites(uint32_t firstSite, uint32_t secondSite) {
    equalWrites_.insert({firstSite, secondSite});
  }
  void merge(const HazardTable& other);
  /// One hazard for each kind, space and pair of lines, sorted by line.
  [[nodiscard]] std::vector<Hazard> list(const Setup& setup) const;
  /// The lines of equal writes, ascending.
  [[nodiscard]] std::vector<uint32_t> equalWriteLines(const Setup& setup) const;

 private:
  std::unordered_map<uint64_t, Entry> entries_;
  uint64_t lastKey_ = ~uint64_t{0};
  Entry* last_ = nullptr;           ///< In entries_, whose elements keep their addresses.
  std::set<uint32_t> equalWrites_;  ///< Sites.
};

/// Adds `from` to the hazards of earlier launches.
void addHazards(std::vector<Hazard>& to, const std::vector<Hazard>& from);

}  // namespace tilestep::simt
