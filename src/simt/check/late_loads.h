// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"

namespace tilestep::simt {

/// A load whose value not all lanes use that run it. Compilers load a variable ahead of the
/// condition that guards it in the source: `t == 0 && last` becomes a load by all threads and an
/// `and`, which throws the value away where t is not 0. There the load is no access that could
/// race.
struct LateLoad {
  /// An instruction that takes the value, from a register that it was computed into: always, or
  /// where a predicate is true, or where it is false.
  struct Use {
    uint32_t at = 0;  ///< Index in the function's body, like all of these.
    uint32_t from = ptx::kNone;
    uint32_t predicate = ptx::kNone;
    bool whereFalse = false;
    bool asGuard = false;  ///< Its own guard depends on the value, so that all lanes take it.
    bool operator==(const Use&) const = default;
  };
  /// An instruction that computes one register from the value in others: always, or where a
  /// predicate is true, or where it is false. Elsewhere the value is thrown away.
  struct Step {
    uint32_t at = 0;
    uint32_t to = ptx::kNone;
    std::vector<uint32_t> from;
    uint32_t predicate = ptx::kNone;
    bool whereFalse = false;
  };
  /// An instruction that puts something else into a register.
  struct End {
    uint32_t at = 0;
    uint32_t reg = ptx::kNone;
  };
  uint32_t load = 0;
  /// That hold the value, or what is computed from it. The load's own comes first.
  std::vector<uint32_t> registers;
  std::vector<Use> uses;
  std::vector<Step> steps;
  std::vector<End> ends;
};

/// Where threads of a program meet in ways that restrict late loads.
struct Meetings {
  bool parts = false;    ///< Some barriers are for some warps of a block: none may lie between.
  bool handsOn = false;  ///< There are fences or releases: no shuffle, vote or the like may.
};

[[nodiscard]] Meetings meetingsIn(const ptx::Function& function);

/// The plain loads of `function` whose value ends in `and`, `or` and `selp` of predicates that do
/// not depend on it; of loads from one fixed place, which compilers run ahead of branches, too,
/// those whose value is used in any way. Between them and their uses, threads meet at barriers and
/// at shuffles and the like at most, as far as `meetings` allow it.
[[nodiscard]] std::vector<LateLoad> lateLoads(const ptx::Function& function,
                                              const ptx::ControlFlow& flow, Meetings meetings);

}  // namespace tilestep::simt
