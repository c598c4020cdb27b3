// SPDX-License-Identifier: Apache-2.0
#include "metrics/block_waits.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <unordered_set>

#include "metrics/coalescing.h"

namespace tilestep::metrics {
namespace {

using trace::Operation;
using trace::Space;
using trace::TraceEvent;

enum class LoadLevel : uint8_t { none, shared, l1, beyondL1 };

/// The sectors of global memory that the block has used so far.
class UsedSectors {
 public:
  /// Whether one of the event's sectors is new. All of them are used from now on.
  bool addNew(const TraceEvent& event) {
    bool isNew = false;
    for (const uint32_t offset : event.offsets) {
      const uint64_t buffer = static_cast<uint64_t>(event.buffer + 1) << 32;
      const uint64_t last = (uint64_t{offset} + event.width - 1) / kSectorBytes;
      for (uint64_t sector = offset / kSectorBytes; sector <= last; ++sector)
        isNew |= used_.insert(buffer | sector).second;
    }
    return isNew;
  }

 private:
  std::unordered_set<uint64_t> used_;
};

/// The waits of one warp between two barriers.
struct WarpWaits {
  BlockWaits waits;
  LoadLevel pending = LoadLevel::none;  ///< The slowest of the loads that overlap.

  void load(LoadLevel level) { pending = std::max(pending, level); }
  void finish() {
    if (pending == LoadLevel::beyondL1) ++waits.beyondL1;
    if (pending == LoadLevel::l1) ++waits.l1;
    if (pending == LoadLevel::shared) ++waits.shared;
    pending = LoadLevel::none;
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
        warp.load(used.addNew(event) ? LoadLevel::beyondL1 : LoadLevel::l1);
      else if (event.space == Space::shared)
        warp.load(LoadLevel::shared);
      return;
    case Operation::store:
      warp.finish();
      if (isGlobal) used.addNew(event);
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

BlockWaits blockWaitsOf(const trace::Recording& recording) {
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

}  // namespace tilestep::metrics
