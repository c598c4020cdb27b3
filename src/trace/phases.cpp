// SPDX-License-Identifier: Apache-2.0
#include "trace/phases.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

#include "trace/feeds.h"

namespace tilestep::trace {
namespace {

constexpr uint32_t kLanes = 32;

uint32_t phaseOfEpoch(uint32_t epoch, const Cut& cut) {
  if (cut.epochsPerPhase == 0 || epoch < cut.firstEpoch) return kNoPhase;
  const uint32_t phase = (epoch - cut.firstEpoch) / cut.epochsPerPhase;
  return phase < cut.phases ? phase : kNoPhase;
}

/// The phase of a matrix element, computed from its coordinate k.
uint32_t phaseOfOffset(uint32_t offset, const Cut::Operand& operand, uint64_t phaseLength) {
  if (operand.k == Cut::K::none || operand.columns == 0 || operand.elementBytes == 0) {
    return kNoPhase;
  }
  const uint64_t element = offset / operand.elementBytes;
  const uint64_t k =
      operand.k == Cut::K::row ? element / operand.columns : element % operand.columns;
  return static_cast<uint32_t>(std::min<uint64_t>(k / phaseLength, kNoPhase));
}

/// The latest load of each lane of a warp, with its phase.
struct Latest {
  struct Load {
    uint32_t number = 0;  ///< Event index + 1; 0 if there is no load yet.
    uint32_t phase = kNoPhase;
  };
  using Lanes = std::array<Load, kLanes>;
  Lanes any;
  std::map<uint32_t, Lanes> byInstruction;  ///< Only for instructions that feed something.
};

class CutByK {
 public:
  CutByK(const BlockTrace& recording, const Cut& cut) : cut_(cut), feeds_(recording) {}

  /// Returns the phase of each lane of event `index`. Must be called in the order of events.
  std::array<uint32_t, kLanes> phases(uint32_t index, const TraceEvent& event) {
    std::array<uint32_t, kLanes> result;
    result.fill(kNoPhase);
    Latest& latest = warps_[event.warp];
    const bool global = event.space == Space::global;
    const bool loads = event.operation == Operation::load || event.operation == Operation::copy;
    if (loads && global && !event.offsets.empty()) {
      load(index, event, latest, result);
    } else if (event.operation == Operation::accumulate) {
      accumulate(event, latest, result);
    } else if (!global) {
      for (uint32_t lane = 0; lane < kLanes; ++lane) result[lane] = latest.any[lane].phase;
    }
    return result;
  }

 private:
  void load(uint32_t index, const TraceEvent& event, Latest& latest,
            std::array<uint32_t, kLanes>& result) {
    if (event.buffer < 0 || static_cast<size_t>(event.buffer) >= cut_.operands.size()) return;
    const Cut::Operand& operand = cut_.operands[static_cast<size_t>(event.buffer)];
    Latest::Lanes* feeding =
        feeds_.feeds(event.instruction) ? &latest.byInstruction[event.instruction] : nullptr;
    size_t position = 0;
    for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1, ++position) {
      const auto lane = static_cast<size_t>(std::countr_zero(lanes));
      result[lane] = phaseOfOffset(event.offsets[position], operand, cut_.phaseLength);
      if (result[lane] == kNoPhase) continue;
      latest.any[lane] = {index + 1, result[lane]};
      if (feeding) (*feeding)[lane] = latest.any[lane];
    }
  }

  void accumulate(const TraceEvent& event, const Latest& latest,
                  std::array<uint32_t, kLanes>& result) const {
    std::array<Latest::Load, kLanes> best{};
    for (const auto& [consumer, load] : feeds_.of(event.instruction)) {
      const auto at = latest.byInstruction.find(load);
      if (at == latest.byInstruction.end()) continue;
      for (size_t lane = 0; lane < kLanes; ++lane) {
        if (at->second[lane].number > best[lane].number) best[lane] = at->second[lane];
      }
    }
    for (size_t lane = 0; lane < kLanes; ++lane) {
      result[lane] = best[lane].number > 0 ? best[lane].phase : latest.any[lane].phase;
    }
  }

  const Cut& cut_;
  Feeds feeds_;
  std::map<uint32_t, Latest> warps_;
};

/// Adds a piece for each group of lanes with equal phases.
void splitByPhase(uint32_t index, uint32_t mask, const std::array<uint32_t, kLanes>& phases,
                  std::vector<PhasedPiece>& out) {
  while (mask != 0) {
    const uint32_t phase = phases[static_cast<size_t>(std::countr_zero(mask))];
    uint32_t same = 0;
    for (uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      if (phases[lane] == phase) same |= 1U << lane;
    }
    out.push_back({phase, {index, same}});
    mask &= ~same;
  }
}

}  // namespace

std::vector<PhasedPiece> phasedPieces(const BlockTrace& recording, const Cut& cut) {
  std::vector<PhasedPiece> pieces;
  pieces.reserve(recording.size());
  const bool byK = cut.epochsPerPhase == 0 && cut.phaseLength > 0;
  std::optional<CutByK> cutter;
  if (byK) cutter.emplace(recording, cut);
  for (size_t i = 0; i < recording.size(); ++i) {
    const TraceEvent event = recording.event(i);
    const auto index = static_cast<uint32_t>(i);
    // An event without active lanes still keeps its place in the order.
    if (!byK || event.mask == 0) {
      pieces.push_back({phaseOfEpoch(event.epoch, cut), {index, event.mask}});
    } else {
      splitByPhase(index, event.mask, cutter->phases(index, event), pieces);
    }
  }
  return pieces;
}

}  // namespace tilestep::trace
