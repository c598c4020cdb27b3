// SPDX-License-Identifier: Apache-2.0
#include "trace/tally.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "trace/touched_units.h"

namespace tilestep::trace {
namespace {

constexpr uint32_t kSectorBytes = 32;
constexpr uint32_t kBanks = 32;
constexpr uint32_t kBankBytes = 4;

/// The offsets of the lanes in `mask`, plus `base`, ascending.
std::vector<uint64_t> offsetsOf(const TraceEvent& event, uint32_t mask, uint64_t base) {
  std::vector<uint64_t> offsets;
  if (event.offsets.empty()) return offsets;
  size_t position = 0;
  for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1, ++position) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    if ((mask >> lane) & 1U) offsets.push_back(base + event.offsets[position]);
  }
  std::sort(offsets.begin(), offsets.end());
  return offsets;
}

void count(const TraceEvent& event, uint32_t mask, GlobalCounts& counts) {
  const auto lanes = static_cast<uint64_t>(std::popcount(event.mask & mask));
  const auto offsets = offsetsOf(event, mask, 0);
  counts.threads += lanes;
  counts.requests += 1;
  counts.bytes += lanes * event.width;
  counts.sectors += unitsTouched(offsets, event.width, kSectorBytes);
  counts.distinctBytes += unitsTouched(offsets, event.width, 1);
}

void count(const TraceEvent& event, uint32_t mask, uint64_t base, SharedCounts& counts) {
  std::array<uint64_t, kBanks> words{};
  uint64_t distinct = 0, next = 0;
  for (const uint64_t offset : offsetsOf(event, mask, base)) {
    const uint64_t last = (offset + event.width - 1) / kBankBytes;
    for (uint64_t word = std::max(offset / kBankBytes, next); word <= last; ++word) {
      ++words[word % kBanks];
      ++distinct;
    }
    next = std::max(next, last + 1);
  }
  const uint64_t wavefronts = *std::max_element(words.begin(), words.end());
  counts.requests += 1;
  counts.wavefronts += wavefronts;
  counts.bankConflicts += wavefronts - (distinct + kBanks - 1) / kBanks;
}

uint64_t sharedBase(const BlockTrace& recording, int16_t buffer) {
  const auto index = static_cast<size_t>(buffer);
  return buffer >= 0 && index < recording.sharedArrays.size() ? recording.sharedArrays[index].offset
                                                              : 0;
}

void count(const BlockTrace& recording, const Replay::Piece& piece, Tally& tally) {
  const TraceEvent event = recording.event(piece.event);
  if (event.operation == Operation::barrier) ++tally.counters.barriers;
  const uint32_t mask = event.mask & piece.mask;
  if (mask == 0) return;
  if (event.operation == Operation::accumulate) {
    tally.accumulates += static_cast<uint64_t>(std::popcount(mask));
  }
  if (event.operation == Operation::copy && event.space == Space::global) {
    count(event, mask, tally.copies);
  }
  if (event.operation == Operation::arrive) {
    tally.arrivals += static_cast<uint64_t>(std::popcount(mask));
  }
  const bool load = event.operation == Operation::load;
  if ((!load && event.operation != Operation::store) || event.width == 0) return;
  Counters& counters = tally.counters;
  if (event.space == Space::global) {
    count(event, mask, load ? counters.globalLoad : counters.globalStore);
  } else if (event.space == Space::shared) {
    count(event, mask, sharedBase(recording, event.buffer),
          load ? counters.sharedLoad : counters.sharedStore);
    (load ? tally.sharedReads : tally.sharedWrites) += static_cast<uint64_t>(std::popcount(mask));
  }
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  counters += other.counters;
  accumulates += other.accumulates;
  sharedReads += other.sharedReads;
  sharedWrites += other.sharedWrites;
  copies += other.copies;
  arrivals += other.arrivals;
  return *this;
}

Tally tallyOf(const BlockTrace& recording, const std::vector<Replay::Piece>& pieces) {
  Tally tally;
  for (const Replay::Piece& piece : pieces) count(recording, piece, tally);
  return tally;
}

Tally tallyOf(const BlockTrace& recording) {
  Tally tally;
  for (size_t i = 0; i < recording.size(); ++i) {
    count(recording, {static_cast<uint32_t>(i), 0xffffffff}, tally);
  }
  return tally;
}

Tally tallyOf(const Replay& replay, StepGranularity grain, size_t index) {
  return tallyOf(replay.recording(), replay.piecesOf(grain, index));
}

PhaseTallies tallyByPhase(const Replay& replay) {
  PhaseTallies result;
  std::map<uint32_t, Tally> phases;
  for (size_t i = 0; i < replay.size(StepGranularity::phase); ++i) {
    const auto phase = replay.step(StepGranularity::phase, i).phase;
    (phase ? phases[*phase] : result.outside) += tallyOf(replay, StepGranularity::phase, i);
  }
  for (const auto& [phase, tally] : phases) result.phases.push_back({phase, tally});
  return result;
}

}  // namespace tilestep::trace
