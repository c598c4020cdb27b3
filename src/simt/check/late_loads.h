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
  /// An instruction that takes the value: always, or where a predicate is true, or where it is
  /// false.
  struct Use {
    uint32_t at = 0;                  ///< Index in the function's body.
    uint32_t predicate = ptx::kNone;  ///< Register.
    bool whereFalse = false;
    bool asGuard = false;  ///< Its own guard depends on the value, so that all lanes take it.
    bool operator==(const Use&) const = default;
  };
  uint32_t load = 0;             ///< Index in the function's body.
  std::vector<Use> uses;         ///< All that take its value.
  std::vector<uint32_t> others;  ///< Instructions behind which the value is another one's.
};

/// The plain loads of `function` whose value ends in `and`, `or` and `selp` with predicates that do
/// not depend on it; of loads from one fixed place, which compilers run ahead of branches, too,
/// those whose value is used in any way. Between them and their uses, threads meet at barriers of
/// the block at most.
[[nodiscard]] std::vector<LateLoad> lateLoads(const ptx::Function& function,
                                              const ptx::ControlFlow& flow);

}  // namespace tilestep::simt
