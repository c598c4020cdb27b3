// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ptx/instrument_access.h"
#include "ptx/instrument_probes.h"

namespace tilestep::ptx {

using Lines = std::vector<std::string>;

/// The lanes that make an access, as registers of the woven code.
struct Lanes {
  std::string mask;  ///< .b32
  std::string lead;  ///< .pred: this is the lowest of them.
};

/// What an access adds to: registers of the woven code; empty where nothing is counted.
struct Adds {
  std::string first;
  std::string second;
  uint32_t times = 1;
};

/// Writes the code that looks at the addresses of an access. Comparing 32 addresses costs up to
/// 128 cycles of a multiprocessor, so the outcome is kept: the same lanes at addresses that all
/// moved by the same distance make as many distinct addresses, as many wavefronts, and, where
/// the distance modulo 32 was seen before, as many sectors.
class PatternWriter {
 public:
  PatternWriter(const Function& function, const Probes& probes);

  /// Adds sectors (`first`) and distinct addresses (`second`) of a global access.
  void global(Lines& out, const Access& access, const Lanes& lanes, const Adds& adds);
  /// Adds wavefronts (`first`) and, for wide units, the fewest possible (`second`).
  void shared(Lines& out, const Access& access, const Lanes& lanes, const Adds& adds);

  /// Registers used, and what must be set before the first instruction.
  [[nodiscard]] Lines declarations() const;
  [[nodiscard]] Lines start() const;
  /// A label no other code uses.
  std::string label();

 private:
  struct Key {
    Space space;
    uint32_t base, width, misalignment;
    auto operator<=>(const Key&) const = default;
  };
  std::string stateOf(const Key& key);
  uint32_t familyOf(uint32_t reg) const;
  void findFamilies();
  void findFixed();
  void globalHit(Lines& out, const std::string& s, const Lanes& lanes, uint32_t width) const;
  void globalMiss(Lines& out, const std::string& s, const Lanes& lanes);
  void sharedTest(Lines& out, const std::string& s, const Lanes& lanes, bool isFixed) const;
  void sharedMiss(Lines& out, const std::string& s, const Lanes& lanes, uint32_t unit,
                  bool countsFewest);
  void copy(Lines& out, std::string_view probe, const std::vector<std::string>& arguments,
            const std::string& result);

  const Function& function_;
  const Probes& probes_;
  std::map<Key, std::string> states_;
  std::vector<uint32_t> family_;  ///< By register: another of its family, or itself.
  std::set<uint32_t> fixed_;      ///< Registers written once, outside every loop.
  uint32_t serial_ = 0;
};

}  // namespace tilestep::ptx
