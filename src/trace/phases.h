// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "trace/replay.h"

namespace tilestep::trace {

constexpr uint32_t kNoPhase = 0xffffffff;

struct PhasedPiece {
  uint32_t phase = kNoPhase;
  Replay::Piece piece;
};

/// Divides all events of a finished recording into phases, lane by lane, according to `cut`. The
/// result is in event order.
[[nodiscard]] std::vector<PhasedPiece> phasedPieces(const BlockTrace& recording, const Cut& cut);

}  // namespace tilestep::trace
