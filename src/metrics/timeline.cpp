// SPDX-License-Identifier: Apache-2.0
#include "metrics/timeline.h"

#include <algorithm>
#include <numeric>

namespace tilestep::metrics {
namespace {

using trace::Timeline;

double quotient(double over, double under) {
  return under > 0 ? over / under : 0;
}

double sum(const std::vector<uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [](double total, uint64_t v) { return total + static_cast<double>(v); });
}

double residentCycles(const Timeline& t) {
  return sum(t.busyWarpCycles) + sum(t.waitWarpCycles);
}

/// Adds `height` over [from, to) to slices of `width`.
void addSpan(std::vector<double>& slices, double width, double from, double to, double height) {
  const auto last = slices.size() - 1;
  for (auto s = std::min(static_cast<size_t>(from / width), last); s <= last; ++s) {
    const double start = std::max(from, static_cast<double>(s) * width);
    const double end = std::min(to, static_cast<double>(s + 1) * width);
    if (end <= start) break;
    slices[s] += height * (end - start) / width;
  }
}

/// The most blocks resident at one time on one SM. Blocks that only touch do not overlap.
uint32_t mostTogether(const Timeline& t) {
  struct Edge {
    uint64_t ns;
    bool isStart;
    bool operator<(const Edge& other) const {
      return ns != other.ns ? ns < other.ns : !isStart && other.isStart;
    }
  };
  std::vector<std::vector<Edge>> edges(t.multiprocessors);
  for (size_t b = 0; b < t.blocks(); ++b) {
    // At least 1 ns, so that a block too short for the clock counts as resident.
    edges[t.sm[b]].push_back({t.startNs[b], true});
    edges[t.sm[b]].push_back({std::max(t.endNs[b], t.startNs[b] + 1), false});
  }
  uint32_t most = 0;
  for (auto& own : edges) {
    std::sort(own.begin(), own.end());
    uint32_t resident = 0;
    for (const Edge& edge : own) {
      resident = edge.isStart ? resident + 1 : resident - 1;
      most = std::max(most, resident);
    }
  }
  return most;
}

}  // namespace

uint64_t spanNs(const Timeline& t) {
  return t.endNs.empty() ? 0 : *std::max_element(t.endNs.begin(), t.endNs.end());
}

double achievedOccupancy(const Timeline& t) {
  return quotient(residentCycles(t), sum(t.activeCycles) * t.maxWarps);
}

double barrierWaitShare(const Timeline& t) {
  return quotient(sum(t.waitWarpCycles), residentCycles(t));
}

double meanWarps(const Timeline& t, size_t block) {
  const double cycles = static_cast<double>(t.endNs[block] - t.startNs[block]) * t.clockMhz / 1000;
  const auto resident = static_cast<double>(t.busyWarpCycles[block] + t.waitWarpCycles[block]);
  return cycles > 0 ? std::min(resident / cycles, double{1} * t.warpsPerBlock) : t.warpsPerBlock;
}

std::vector<double> residentWarps(const Timeline& t, size_t slices, std::optional<uint32_t> sm) {
  std::vector<double> result(slices, 0);
  const auto span = static_cast<double>(spanNs(t));
  if (slices == 0 || span <= 0) return result;
  const double width = span / static_cast<double>(slices);
  for (size_t b = 0; b < t.blocks(); ++b) {
    if (sm && t.sm[b] != *sm) continue;
    addSpan(result, width, static_cast<double>(t.startNs[b]), static_cast<double>(t.endNs[b]),
            meanWarps(t, b));
  }
  return result;
}

Waves waves(const Timeline& t) {
  Waves result;
  std::vector<uint64_t> dryNs(t.multiprocessors, 0);
  std::vector<bool> used(t.multiprocessors, false);
  for (size_t b = 0; b < t.blocks(); ++b) {
    used[t.sm[b]] = true;
    dryNs[t.sm[b]] = std::max(dryNs[t.sm[b]], t.endNs[b]);
  }
  result.usedMultiprocessors = static_cast<uint32_t>(std::count(used.begin(), used.end(), true));
  result.blocksTogether = mostTogether(t);
  const uint64_t wave = uint64_t{t.multiprocessors} * result.blocksTogether;
  if (wave == 0) return result;
  result.waves = static_cast<double>(t.blocks()) / static_cast<double>(wave);
  result.lastWaveBlocks = (t.blocks() - 1) % wave + 1;
  const uint64_t end = spanNs(t);
  uint64_t firstDry = end;
  for (uint32_t s = 0; s < t.multiprocessors; ++s) {
    if (used[s]) firstDry = std::min(firstDry, dryNs[s]);
  }
  result.tailShare = quotient(static_cast<double>(end - firstDry), static_cast<double>(end));
  return result;
}

std::vector<EpochCycles> epochCycles(const Timeline& t) {
  if (t.rows() == 0) return {};
  std::vector<EpochCycles> result(t.epochs);
  for (size_t cell = 0; cell < t.epochBusy.size(); ++cell) {
    result[cell % t.epochs].busy += t.epochBusy[cell];
    result[cell % t.epochs].wait += t.epochWait[cell];
  }
  const double warps = static_cast<double>(t.rows()) * t.warpsPerBlock;
  for (EpochCycles& epoch : result) {
    epoch.busy /= warps;
    epoch.wait /= warps;
  }
  return result;
}

std::vector<EpochCycles> phaseEpochCycles(const Timeline& t) {
  const std::vector<EpochCycles> epochs = epochCycles(t);
  if (epochs.size() <= t.epochsBefore || !t.positionInPhase(t.epochsBefore)) return {};
  std::vector<EpochCycles> result(t.epochsPerPhase);
  std::vector<uint32_t> counts(t.epochsPerPhase, 0);
  for (uint32_t e = 0; e < epochs.size(); ++e) {
    const std::optional<uint32_t> position = t.positionInPhase(e);
    if (!position) continue;
    result[*position].busy += epochs[e].busy;
    result[*position].wait += epochs[e].wait;
    ++counts[*position];
  }
  for (size_t i = 0; i < result.size(); ++i) {
    result[i] = {quotient(result[i].busy, counts[i]), quotient(result[i].wait, counts[i])};
  }
  return result;
}

uint64_t PhaseTime::all() const {
  return std::accumulate(busy.begin(), busy.end(), outside + wait);
}

std::optional<PhaseTime> phaseTime(const Timeline& t, std::optional<size_t> row) {
  const bool named = t.epochs > t.epochsBefore && t.positionInPhase(t.epochsBefore);
  if (!named || row.value_or(0) >= t.rows()) return std::nullopt;
  PhaseTime time;
  time.busy.resize(t.epochsPerPhase);
  const size_t from = row.value_or(0) * t.epochs;
  const size_t to = row ? from + t.epochs : t.epochBusy.size();
  for (size_t cell = from; cell < to; ++cell) {
    const auto position = t.positionInPhase(static_cast<uint32_t>(cell % t.epochs));
    (position ? time.busy[*position] : time.outside) += t.epochBusy[cell];
    time.wait += t.epochWait[cell];
  }
  if (time.all() == 0) return std::nullopt;
  return time;
}

std::vector<EpochSpan> epochSpans(const Timeline& t, size_t row) {
  if (row >= t.rows()) return {};
  const size_t block = row * t.epochStep;
  const uint32_t* busy = &t.epochBusy[row * t.epochs];
  const uint32_t* wait = &t.epochWait[row * t.epochs];
  const double total =
      std::accumulate(busy, busy + t.epochs, 0.0) + std::accumulate(wait, wait + t.epochs, 0.0);
  const double perCycle = quotient(static_cast<double>(t.endNs[block] - t.startNs[block]), total);
  auto at = static_cast<double>(t.startNs[block]);
  std::vector<EpochSpan> spans;
  for (uint32_t e = 0; e < t.epochs; ++e) {
    const double waitNs = at + busy[e] * perCycle;
    spans.push_back({at, waitNs, waitNs + wait[e] * perCycle});
    at = spans.back().endNs;
  }
  return spans;
}

}  // namespace tilestep::metrics
