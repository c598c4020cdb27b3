// SPDX-License-Identifier: Apache-2.0
#include "metrics/block_waits.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "metrics/coalescing.h"

namespace tilestep::metrics {
namespace {

using trace::Operation;
using trace::Space;
using trace::TraceEvent;

enum class GlobalLoad : uint8_t { none, l1, beyondL1 };

class UsedSectors {
 public:
  struct Touched {
    size_t all = 0, fresh = 0;  ///< Distinct sectors, and the number of these not used before.
  };
  Touched add(const TraceEvent& event) {
    touched_.clear();
    const uint64_t buffer = static_cast<uint64_t>(event.buffer + 1) << 32;
    for (const uint32_t offset : event.offsets) {
      const uint64_t last = (uint64_t{offset} + event.width - 1) / kSectorBytes;
      for (uint64_t sector = offset / kSectorBytes; sector <= last; ++sector)
        touched_.push_back(buffer | sector);
    }
    std::ranges::sort(touched_);
    touched_.erase(std::ranges::unique(touched_).begin(), touched_.end());
    Touched touched{touched_.size(), 0};
    for (const uint64_t sector : touched_) touched.fresh += used_.insert(sector).second ? 1 : 0;
    return touched;
  }

 private:
  std::vector<uint64_t> touched_;  ///< By the current event.
  std::unordered_set<uint64_t> used_;
};

/// The waits of one warp between two barriers.
struct WarpWaits {
  BlockWaits waits;
  GlobalLoad global = GlobalLoad::none;  ///< The slowest of the overlapping global loads.
  bool loadsShared = false;

  void finishGlobal() {
    if (global == GlobalLoad::beyondL1) ++waits.beyondL1;
    if (global == GlobalLoad::l1) ++waits.l1;
    global = GlobalLoad::none;
  }
  void finishShared() {
    if (loadsShared) ++waits.shared;
    loadsShared = false;
  }
  void finish() {
    if (global != GlobalLoad::none) loadsShared = false;  // Overlaps with the longer global wait.
    finishGlobal();
    finishShared();
  }
};

bool isSlower(const BlockWaits& a, const BlockWaits& b) {
  const auto key = [](const BlockWaits& waits) {
    return std::tuple(waits.beyondL1, waits.l1, waits.shared, waits.barriers);
  };
  return key(a) > key(b);
}

void add(WarpWaits& warp, const TraceEvent& event, UsedSectors& used) {
  const bool isGlobal = event.space == Space::global;
  switch (event.operation) {
    case Operation::load:
    case Operation::atomic:
    case Operation::copy:
      if (isGlobal)
        warp.global = std::max(warp.global,
                               used.add(event).fresh > 0 ? GlobalLoad::beyondL1 : GlobalLoad::l1);
      warp.loadsShared |= event.space == Space::shared;
      return;
    case Operation::store:
      if (event.space == Space::shared) warp.finishShared();
      if (!isGlobal) return;
      warp.finishGlobal();
      used.add(event);
      return;
    case Operation::barrier:
      warp.finish();
      ++warp.waits.barriers;
      return;
    case Operation::accumulate:
    case Operation::arrive:
      return;
  }
}

}  // namespace

BlockWaits blockWaitsOf(const trace::BlockTrace& recording) {
  BlockWaits all, slowest;
  WarpWaits warp;
  UsedSectors used;
  const auto endWarp = [&] {
    warp.finish();
    if (isSlower(warp.waits, slowest)) slowest = warp.waits;
    warp = {};
  };
  const auto endEpoch = [&] {
    endWarp();
    all.beyondL1 += slowest.beyondL1;
    all.l1 += slowest.l1;
    all.shared += slowest.shared;
    all.barriers += slowest.barriers;
    slowest = {};
  };
  for (size_t i = 0; i < recording.size(); ++i) {
    const TraceEvent event = recording.event(i);
    if (i > 0) {
      const TraceEvent before = recording.event(i - 1);
      if (event.epoch != before.epoch)
        endEpoch();
      else if (event.warp != before.warp)
        endWarp();
    }
    add(warp, event, used);
  }
  endEpoch();
  return all;
}

double shareBeyondL1(const trace::BlockTrace& recording) {
  UsedSectors used;
  double all = 0, fresh = 0;
  for (size_t i = 0; i < recording.size(); ++i) {
    const TraceEvent event = recording.event(i);
    if (event.space != Space::global) continue;
    const UsedSectors::Touched touched = used.add(event);
    if (event.operation != Operation::load && event.operation != Operation::copy) continue;
    all += static_cast<double>(touched.all);
    fresh += static_cast<double>(touched.fresh);
  }
  return all > 0 ? fresh / all : 1;
}

}  // namespace tilestep::metrics
