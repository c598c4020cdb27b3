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

#include "model/choice/barrier_calls.h"
#include "model/scene/traced_kernel.h"
#include "model/view.h"

/// What barriers are for, from traces; and what happens without one.
namespace tilestep::model {

/// What one barrier keeps apart: accesses to one slot by different threads, one just before and
/// one just behind it.
struct Guard {
  bool readAfterWrite = true;       ///< Else write-after-read.
  std::string array;                ///< "Mds"
  uint32_t before = 0, behind = 0;  ///< Lines of the two accesses.
  uint64_t pairs = 0;               ///< Pairs of threads and slot, in the whole block.
  uint64_t acrossWarps = 0;         ///< Of these: of two warps.
  std::string example;              ///< "thread (0, 0) reads Mds[0][1], which thread (1, 0) wrote"
};
struct BarrierRole {
  uint32_t line = 0;
  std::vector<Guard> guards;
};
/// By line, ascending; barriers that keep nothing apart have no guards.
[[nodiscard]] std::vector<BarrierRole> barrierRoles(const TracedKernel& side);
/// "read-after-write: 93 reads what other threads write at 80, 85"; both kinds where there are
/// both. Empty where the barrier keeps nothing apart.
[[nodiscard]] std::string guardText(const BarrierRole& role);

/// Slots that one thread writes and another touches with no barrier between, by epoch, with the
/// lines of the two: at `first` the write.
struct Races {
  using Lines = std::pair<uint32_t, uint32_t>;
  std::map<uint32_t, std::map<Lines, std::vector<trace::Place>>> byEpoch;
};
[[nodiscard]] Races racesOf(const TracedKernel& side);

/// What races in a scene, and what came of it where a barrier was taken away. Never changes.
struct RaceView {
  uint32_t line = 0;   ///< Of the barrier that was taken away; 0: none was.
  bool right = false;  ///< Without it the result is right all the same, this time.
  /// Elements of the outputs, of this block, whose values both traces know; none where one is cut.
  size_t wrong = 0, made = 0;
  std::string verdict;          ///< A sentence; empty where no barrier was taken away.
  std::vector<uint32_t> lines;  ///< That race, ascending.
  std::vector<trace::Place> wrongElements;
  Races races;  ///< Of those lines.
};
/// `good`: where a barrier was taken away, the same block with it; else null. Null where nothing
/// races and nothing was taken away.
[[nodiscard]] std::shared_ptr<const RaceView> raceViewOf(const TracedKernel& side,
                                                         const TracedKernel* good);

/// For the source of `side`, by line. `roles`: those of the kernel with all its barriers.
[[nodiscard]] std::vector<LineNote> lineNotes(const TracedKernel& side,
                                              const std::vector<BarrierRole>& roles);

}  // namespace tilestep::model
