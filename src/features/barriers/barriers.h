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

/// Derives from traces what each barrier is needed for, and what happens without one.
namespace tilestep::features {

/// Whether the barrier that was removed is a `__syncwarp()`.
[[nodiscard]] bool isWithoutWarpBarrier(const TracedKernel& side);

/// A hazard that one barrier prevents: accesses to one slot by different threads, one just before
/// the barrier and one just after it.
struct Guard {
  bool readAfterWrite = true;       ///< Otherwise write-after-read.
  std::string array;                ///< "Mds"
  uint32_t before = 0, behind = 0;  ///< Source lines of the two accesses.
  uint64_t pairs = 0;               ///< Combinations of two threads and a slot, in the whole block.
  uint64_t acrossWarps = 0;         ///< Combinations whose threads are in different warps.
  std::string example;              ///< "thread (0, 0) reads Mds[0][1], which thread (1, 0) wrote"
};
struct BarrierRole {
  uint32_t line = 0;
  std::vector<Guard> guards;
};
/// By line, ascending; barriers that prevent no hazard have no guards.
[[nodiscard]] std::vector<BarrierRole> barrierRoles(const TracedKernel& side);
/// "read-after-write: 93 reads what other threads write at 80, 85"; both kinds if there are both.
/// Empty if the barrier prevents no hazard.
[[nodiscard]] std::string guardText(const BarrierRole& role);

/// Races: slots that one thread writes and another accesses without a barrier between, by epoch and
/// by the lines of the two accesses; `first` is the write's line.
struct Races {
  using Lines = std::pair<uint32_t, uint32_t>;
  std::map<uint32_t, std::map<Lines, std::vector<trace::Place>>> byEpoch;
};
[[nodiscard]] Races racesOf(const TracedKernel& side);

/// The races in a scene, and the effect of a removed barrier. Immutable.
struct RaceView {
  uint32_t line = 0;   ///< The line of the removed barrier; 0: none was removed.
  bool right = false;  ///< The result is correct without the barrier in this run.
  /// Output elements of this block whose values both traces contain; 0 if one trace is truncated.
  size_t wrong = 0, made = 0;
  std::string verdict;          ///< A sentence; empty if no barrier was removed.
  std::vector<uint32_t> lines;  ///< The lines that race, ascending.
  std::vector<trace::Place> wrongElements;
  Races races;  ///< The races at those lines.
};
/// `good`: the same block with the removed barrier restored; null if none was removed. Returns null
/// if there is neither a race nor a removed barrier.
[[nodiscard]] std::shared_ptr<const RaceView> raceViewOf(const TracedKernel& side,
                                                         const TracedKernel* good);

/// The notes for the source of `side`, by line. `roles`: those of the kernel with all its barriers.
[[nodiscard]] std::vector<LineNote> lineNotes(const TracedKernel& side,
                                              const std::vector<BarrierRole>& roles);

}  // namespace tilestep::features
