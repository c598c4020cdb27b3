// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "trace/replay.h"

namespace tilestep::trace {

constexpr uint32_t kNoPhase = 0xffffffff;

/// A part of an event and the phase that it belongs to.
struct PhasedPiece {
  uint32_t phase = kNoPhase;
  Replay::Piece piece;
};

/// Every lane of every event of a finished recording, in event order, divided into phases according
/// to `cut`.
[[nodiscard]] std::vector<PhasedPiece> phasedPieces(const BlockTrace& recording, const Cut& cut);

}  // namespace tilestep::trace
