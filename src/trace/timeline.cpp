// SPDX-License-Identifier: Apache-2.0
#include "trace/timeline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilestep::trace {
namespace {

constexpr uint32_t kMostEpochsPerPhase = 65536;
constexpr uint64_t kMostCycles = uint64_t{1} << 50;  ///< Per multiprocessor, 13 days at 1 GHz.
constexpr uint32_t kLongestTickNs = 1 << 16;         ///< An H200's tick is 32 ns.
constexpr uint64_t kMostNs = 1'000'000'000'000'000;  ///< 11 days, for all other times.

Error broken(const std::string& what) {
  return workError("the timeline is damaged: " + what);
}

/// Whether the value is 0 or plausible as a clock in MHz or a quotient of two times.
bool isFigure(double value) {
  constexpr double kLeast = 1e-9, kMost = 1e9;
  return value == 0 || (value >= kLeast && value <= kMost);
}

Status checkHead(const Timeline& t) {
  if (t.tickNs == 0) return broken("its clock has no tick");
  if (t.tickNs > kLongestTickNs) return broken("its clock is too coarse");
  if (t.multiprocessors == 0 || t.multiprocessors > 65536)
    return broken("it has no multiprocessors");
  if (t.warpsPerBlock == 0 || t.warpsPerBlock > Timeline::kMaxWarpsPerBlock) {
    return broken("its blocks have no warps or more than 32");
  }
  if (t.maxWarps == 0 || t.maxWarps > 1024) return broken("its multiprocessors hold no warps");
  if (t.epochsPerPhase > kMostEpochsPerPhase) return broken("its phases have too many epochs");
  if (!isFigure(t.clockMhz) || !isFigure(t.price))
    return broken("its clock or its overhead is not a plausible number");
  if (t.blocks() == 0 || t.blocks() > Timeline::kMaxBlocks) {
    return broken("it has no blocks or more than " + std::to_string(Timeline::kMaxBlocks));
  }
  return {};
}

Status checkLengths(const Timeline& t) {
  const size_t blocks = t.blocks();
  for (const size_t length :
       {t.startNs.size(), t.endNs.size(), t.busyWarpCycles.size(), t.waitWarpCycles.size()}) {
    if (length != blocks) return broken("its blocks' columns differ in length");
  }
  if (t.activeCycles.size() != t.multiprocessors)
    return broken("its multiprocessors' column has a wrong length");
  return {};
}

Status checkBlocks(const Timeline& t) {
  for (const uint64_t active : t.activeCycles)
    if (active > kMostCycles) return broken("a multiprocessor was active for weeks");
  std::vector<uint64_t> resident(t.multiprocessors);  // Sum of warp-cycles.
  for (size_t b = 0; b < t.blocks(); ++b) {
    const auto name = [b] { return "block " + std::to_string(b); };
    if (t.sm[b] >= t.multiprocessors) return broken(name() + " ran on an unknown multiprocessor");
    if (t.endNs[b] > kMostNs) return broken(name() + " ends weeks later");
    if (t.endNs[b] < t.startNs[b]) return broken(name() + " ends before it starts");
    const uint64_t active = t.activeCycles[t.sm[b]];
    const uint64_t most = active * t.warpsPerBlock;
    if (t.busyWarpCycles[b] > most || t.waitWarpCycles[b] > most - t.busyWarpCycles[b]) {
      return broken(name() + " ran longer than its multiprocessor");
    }
    uint64_t& sum = resident[t.sm[b]];
    sum += t.busyWarpCycles[b] + t.waitWarpCycles[b];
    if (sum > active * t.maxWarps)
      return broken("multiprocessor " + std::to_string(t.sm[b]) + " ran more warps than it holds");
  }
  return {};
}

/// The largest number of `blocks` that were resident at the same time. If a block ends within a
/// tick of another block's start, the two do not count as resident together.
uint64_t mostTogether(const Timeline& t, const std::vector<size_t>& blocks) {
  using Edge = std::pair<uint64_t, bool>;  // Time, and whether a block starts. Ends sort first.
  std::vector<Edge> edges;
  for (const size_t b : blocks) {
    if (t.endNs[b] - t.startNs[b] <= t.tickNs) continue;
    edges.emplace_back(t.startNs[b], true);
    edges.emplace_back(t.endNs[b] - t.tickNs, false);
  }
  std::ranges::sort(edges);
  uint64_t together = 0, most = 0;
  for (const auto& [ns, isStart] : edges) {
    together = isStart ? together + 1 : together - 1;
    most = std::max(most, together);
  }
  return most;
}

/// Checks that multiprocessors never ran many more warps than they hold. The margin is for blocks
/// that another program preempts. Such blocks release their multiprocessor before they end, and may
/// continue on another one. On a shared GPU, all multiprocessors together were seen to exceed the
/// limit by 1/40, and a single multiprocessor by half.
Status checkResidence(const Timeline& t) {
  std::vector<size_t> all(t.blocks());
  std::vector<std::vector<size_t>> own(t.multiprocessors);
  for (size_t b = 0; b < t.blocks(); ++b) {
    all[b] = b;
    own[t.sm[b]].push_back(b);
  }
  const uint64_t held = t.maxWarps / t.warpsPerBlock, heldByAll = held * t.multiprocessors;
  if (mostTogether(t, all) > heldByAll + heldByAll / 4)
    return broken("many more warps ran at a time than its multiprocessors hold");
  for (uint32_t sm = 0; sm < t.multiprocessors; ++sm)
    if (mostTogether(t, own[sm]) > 2 * held)
      return broken("multiprocessor " + std::to_string(sm) +
                    " ran many more warps at a time than it holds");
  return {};
}

Status checkEpochs(const Timeline& t) {
  if (t.epochs == 0) return broken("it has no epoch");
  const size_t cells = t.epochBusy.size();
  if (t.epochWait.size() != cells) return broken("its epochs' columns differ in length");
  if (cells * 8 > Timeline::kEpochCapBytes + size_t{t.epochs} * 8) return broken("too many epochs");
  const uint64_t rows = t.epochStep == 0 ? 0 : (t.blocks() + t.epochStep - 1) / t.epochStep;
  if (cells != rows * t.epochs) return broken("its epochs' columns have a wrong length");
  return {};
}

}  // namespace

Status Timeline::check() const {
  for (const Status& s : {checkHead(*this), checkLengths(*this), checkEpochs(*this)}) {
    if (!s) return s;
  }
  const Status blocks = checkBlocks(*this);
  return blocks ? checkResidence(*this) : blocks;
}

std::optional<uint32_t> Timeline::positionInPhase(uint32_t epoch) const {
  if (epochsPerPhase == 0 || epoch < epochsBefore) return std::nullopt;
  if ((epoch - epochsBefore) / epochsPerPhase >= phases) return std::nullopt;
  return (epoch - epochsBefore) % epochsPerPhase;
}

}  // namespace tilestep::trace
