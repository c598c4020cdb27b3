// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/lane_moves.h"
#include "ptx/rewrite/instrument_pattern.h"
#include "ptx/rewrite/instrument_segments.h"

namespace tilestep::ptx {

/// One segment of a lap.
struct LapPart {
  enum class How : uint8_t {
    always,     ///< Once in every lap.
    sometimes,  ///< Once or not at all, as `bit` of the lap's signature says.
    repeated,   ///< A loop of its own: any number of times, the same for all lanes that run it.
    unfit,      ///< In a loop whose counts do not follow from the lanes' paths.
  };
  uint32_t segment = 0;
  How how = How::always;
  uint32_t bit = 0;
  uint32_t epoch = 0;  ///< Barriers of the lap that were passed before it.
};

/// A loop with barriers whose iterations ("laps") can be counted afterwards. What a lap counts is
/// determined by four things: which way each lane went (a bit for each segment that only some may
/// run), how often it went round the inner loops, where its global addresses lie within 32 bytes,
/// and the distances between lanes, which never change (LaneMoves). A lap that agrees with the one
/// before in the first three has the same counts, so nothing need be counted while it runs.
///
/// A loop whose laps keep differing gains nothing: after some of them it is called unfit, and the
/// kernel is counted again visit by visit (CountTable::kUnfit).
///
/// If lanes could reach a segment of the lap without being converged, or if anything else cannot be
/// proved, there is no Lap and the loop is counted visit by visit.
struct Lap {
  uint32_t first = 0, last = 0;  ///< Segments, in the order of the text; `last` branches back.
  uint32_t barriers = 0;         ///< In a lap: how many epochs it takes.
  uint32_t checkAt = 0;  ///< The barrier before which everything that decides its counts is known.
  std::vector<LapPart> parts;  ///< By segment, from `first` on.

  [[nodiscard]] bool holds(uint32_t segment) const { return segment >= first && segment <= last; }
  [[nodiscard]] const LapPart& part(uint32_t segment) const { return parts[segment - first]; }
  [[nodiscard]] bool mayNotFit() const;
};

/// The loops of `function` that have laps. `groups` are the plain accesses of each segment.
[[nodiscard]] std::vector<Lap> findLaps(const Function& function,
                                        const std::vector<Segment>& segments,
                                        const std::vector<std::vector<AccessGroup>>& groups,
                                        const LaneMoves& moves);

}  // namespace tilestep::ptx
