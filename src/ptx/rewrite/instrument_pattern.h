// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptx/rewrite/instrument_access.h"

namespace tilestep::ptx {

using Lines = std::vector<std::string>;

/// The lanes that make an access, as registers of the inserted code.
struct Lanes {
  std::string mask;  ///< .b32
  std::string lead;  ///< .pred: this lane is the lowest of them.
};

/// Where counts are added: a register of the inserted code, and the value of one count in it.
struct Slot {
  std::string reg;
  uint32_t scale = 1;
};

/// Where an access adds its counts; registers are empty where nothing is counted.
struct Adds {
  Slot first;
  Slot second;
};

/// Accesses of one shape through one base register that is not written between them.
struct AccessGroup {
  struct Member {
    int64_t offset = 0;  ///< Bytes from the base.
    uint32_t times = 0;
  };
  uint32_t at = 0;  ///< Index of the first access.
  Access access;
  std::vector<Member> members;
  [[nodiscard]] uint32_t times() const;
  /// The base register, or kNone where the text gives an absolute address.
  [[nodiscard]] uint32_t base() const {
    return access.address->kind == Operand::Kind::address ? access.address->reg : kNone;
  }
};

/// Writes the code that examines the addresses of accesses. Comparing 32 addresses costs up to 128
/// cycles of a multiprocessor (H200), so the result is kept: the same lanes at addresses that all
/// moved by the same distance access as many distinct addresses, as many wavefronts and, if the
/// distance modulo 32 has been seen before, as many sectors.
class PatternWriter {
 public:
  explicit PatternWriter(const Function& function);

  /// Adds sectors (`first`) and distinct addresses (`second`) of global accesses.
  void global(Lines& out, const AccessGroup& group, const Lanes& lanes, const Adds& adds);
  /// Adds wavefronts (`first`) and, for wide units, the fewest possible (`second`) of shared
  /// accesses whose offsets differ by whole units.
  void shared(Lines& out, const AccessGroup& group, const Lanes& lanes, const Adds& adds);

  /// Declarations of the registers used, and the code that initialises them before the first
  /// instruction.
  [[nodiscard]] Lines declarations() const;
  [[nodiscard]] Lines start() const;
  /// A label that no other code uses.
  std::string label();

 private:
  struct Key {
    Space space;
    uint32_t base, width, misalignment;
    auto operator<=>(const Key&) const = default;
  };
  std::string stateOf(const Key& key);
  [[nodiscard]] uint32_t familyOf(uint32_t reg) const;
  void findFamilies();
  void findTwins();
  void join(uint32_t a, uint32_t b) { family_[familyOf(a)] = familyOf(b); }
  void findFixed();
  void globalTest(Lines& out, const std::string& s, const Lanes& lanes, uint32_t width) const;
  void globalOthers(Lines& out, const std::string& s, const AccessGroup& group, const Lanes& lanes,
                    const Adds& adds);
  void sharedMoving(Lines& out, const Key& key, const Lanes& lanes, const Adds& adds,
                    uint32_t times);
  void sharedFixed(Lines& out, uint32_t bit, const Lanes& lanes, const Adds& adds, uint32_t times);

  const Function& function_;
  std::map<Key, std::string> states_;
  std::map<Key, uint32_t> fixedBits_;  ///< Position of a fixed pattern's bits in %tstep_fixed.
  std::vector<uint32_t> family_;       ///< By register: another one of its family, or itself.
  std::set<uint32_t> fixed_;           ///< Registers written once, outside of every loop.
  uint32_t serial_ = 0;
};

}  // namespace tilestep::ptx
