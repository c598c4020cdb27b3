// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/names.h"
#include "model/choice/barrier_calls.h"
#include "model/scene/traced_kernel.h"
#include "model/view.h"

/// Derives from traces which hazards each barrier prevents, and the effect of removing a barrier.
namespace tilestep::features {

/// Whether the removed barrier is a `__syncwarp()`.
[[nodiscard]] bool isWithoutWarpBarrier(const TracedKernel& side);

/// A hazard that one barrier prevents: different threads access one slot, one thread just before
/// the barrier and the other just after it.
struct Guard {
  bool readAfterWrite = true;       ///< Otherwise write-after-read.
  std::string array;                ///< "Mds"
  uint32_t before = 0, behind = 0;  ///< Source lines of the two accesses.
  uint64_t pairs = 0;  ///< Number of pairs of threads with this hazard, summed over all slots.
  uint64_t acrossWarps = 0;  ///< The pairs whose threads are in different warps.
  std::string example;       ///< "thread (0, 0) reads Mds[0][1], which thread (1, 0) wrote"
};
struct BarrierRole {
  uint32_t line = 0;
  std::vector<Guard> guards;
};
/// All barriers, by ascending line. A barrier that prevents no hazard has no guards.
[[nodiscard]] std::vector<BarrierRole> barrierRoles(const TracedKernel& side);
/// "read-after-write: 93 reads what 80 and 85 wrote"; the two kinds are joined by "; ". Empty if
/// the barrier prevents no hazard.
[[nodiscard]] std::string guardText(const BarrierRole& role);

/// Slots that one thread writes and another accesses in the same epoch. Grouped by epoch and by the
/// lines of the two accesses; `first` is the line of a write.
struct Races {
  using Lines = std::pair<uint32_t, uint32_t>;
  std::map<uint32_t, std::map<Lines, std::vector<trace::Place>>> byEpoch;
};
[[nodiscard]] Races racesOf(const TracedKernel& side);

/// The races in a scene, and the effect of a removed barrier. Immutable.
struct RaceView {
  uint32_t line = 0;   ///< The line of the removed barrier; 0 if no barrier was removed.
  bool right = false;  ///< The result of this run is correct without the barrier.
  /// Output elements whose values both traces contain: the wrong ones, and all. 0 if truncated.
  size_t wrong = 0, made = 0;
  std::string verdict;          ///< A sentence; empty if no barrier was removed.
  std::vector<uint32_t> lines;  ///< Lines with races, ascending.
  std::vector<trace::Place> wrongElements;
  Races races;  ///< The reported races.
};
/// `good` is the same block with the removed barrier restored; null if no barrier was removed.
/// Returns null if there is neither a race nor a removed barrier.
[[nodiscard]] std::shared_ptr<const RaceView> raceViewOf(const TracedKernel& side,
                                                         const TracedKernel* good);

/// The notes for the source of `side`, by line. `roles` belong to the kernel with all its barriers.
[[nodiscard]] std::vector<LineNote> lineNotes(const TracedKernel& side,
                                              const std::vector<BarrierRole>& roles);

}  // namespace tilestep::features
