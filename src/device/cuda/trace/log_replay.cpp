// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/trace/log_replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "base/bytes.h"
#include "device/cuda/trace/traced_memory.h"
#include "device/cuda/trace/warp_paths.h"
#include "ptx/analysis/accumulators.h"
#include "ptx/analysis/branches.h"
#include "ptx/analysis/feeds.h"
#include "ptx/rewrite/instrument_access.h"
#include "simt/machine.h"

namespace tilestep::cuda {
namespace {

using ptx::LogSite;
constexpr uint32_t kLanes = ptx::TraceLog::kLanes;

std::string placeText(const Dim3& block) {
  return std::to_string(block.x) + "," + std::to_string(block.y) + "," + std::to_string(block.z);
}

/// A warp on its way through the program.
struct Warp {
  enum class State : uint8_t { ready, waiting, done };

  uint32_t index = 0;
  WarpPaths paths;
  uint32_t epoch = 0;
  uint32_t sequence = 0;
  uint32_t barrier = 0, barrierThreads = 0;
  State state = State::ready;
  std::vector<LogReader> lanes;
};

class Replay {
 public:
  Replay(const TracedLaunch& traced, const ptx::TraceLog& log, const ThreadLogs& logs)
      : traced_(traced),
        entry_(*traced.entry),
        log_(log),
        shape_(entry_),
        memory_(traced, log, logs.addresses),
        recording_(traced.request.capBytes) {
    const ptx::Accumulators accumulators = ptx::findAccumulators(entry_);
    accumulatorOf_ = accumulators.updatedBy;
    recording_.block = traced.request.block;
    recording_.blockShape = traced.launch.block;
    recording_.device = traced.device;
    recording_.sharedArrays = memory_.sharedArrays();
    recording_.accumulators = accumulators.count;
    recording_.sumStores = accumulators.storePairs();
    recording_.feeds = ptx::feeds(entry_);
    for (uint32_t w = 0; w < log.warps(); ++w) addWarp(w, logs);
  }

  Result<trace::Recording> run() {
    while (!ended()) {
      bool ran = false;
      for (Warp& warp : warps_) {
        if (warp.state != Warp::State::ready || ended()) continue;
        walk(warp);
        ran = true;
      }
      const bool released = !ended() && release();
      if (ran || released) continue;
      const bool isStuck = std::any_of(warps_.begin(), warps_.end(), [](const Warp& warp) {
        return warp.state == Warp::State::waiting;
      });
      if (isStuck) return astray("its warps wait for each other");
      break;
    }
    if (wrong_) return astray(*wrong_);
    if (!recording_.truncated() && anythingLeft()) return astray("a log goes on past the end");
    recording_.finish();
    return std::move(recording_);
  }

 private:
  [[nodiscard]] bool ended() const { return wrong_ || recording_.truncated(); }

  [[nodiscard]] Error astray(const std::string& why) const {
    return workError("The GPU's log of block " + placeText(traced_.request.block) + " of " +
                     entry_.name + " does not follow its program: " + why + ".");
  }

  void addWarp(uint32_t index, const ThreadLogs& logs) {
    const uint32_t first = index * kLanes;
    const uint32_t lanes = std::min(log_.threads - first, kLanes);
    Warp warp{.index = index, .paths = WarpPaths(lanes == kLanes ? ~0U : (1U << lanes) - 1)};
    for (uint32_t lane = 0; lane < lanes; ++lane) warp.lanes.emplace_back(logs, first + lane);
    warps_.push_back(std::move(warp));
  }

  [[nodiscard]] bool anythingLeft() const {
    return std::any_of(warps_.begin(), warps_.end(), [](const Warp& warp) {
      return std::any_of(warp.lanes.begin(), warp.lanes.end(),
                         [](const LogReader& lane) { return lane.more(); });
    });
  }

  // ---- One warp ----

  // Round every loop that ends there is a branch to decide, and so a record.
  void walk(Warp& warp) {
    const uint64_t before = recordsRead_;
    for (uint32_t left = simt::kQuantum; !warp.paths.finished() && left != 0; --left) {
      if (!walkBlock(warp) || warp.state == Warp::State::waiting) return;
    }
    if (warp.paths.finished()) {
      warp.state = Warp::State::done;
    } else if (recordsRead_ == before) {
      fail("it goes round a loop without end");
    }
  }

  /// False where the replay ends.
  bool walkBlock(Warp& warp) {
    const uint32_t begin = warp.paths.at(), mask = warp.paths.mask();
    const auto size = static_cast<uint32_t>(entry_.body.size());
    if (begin >= size) {
      warp.paths.leave(mask, size);
      return true;
    }
    const uint32_t end = shape_.blockEnd[begin];
    for (uint32_t i = begin; i + 1 < end; ++i) {
      if (!step(warp, i, mask)) return false;
    }
    return finishBlock(warp, end - 1, mask);
  }

  bool finishBlock(Warp& warp, uint32_t index, uint32_t mask) {
    const ptx::Instruction& last = entry_.body[index];
    if (ptx::isBarrier(last)) return atBarrier(warp, index, mask);
    const bool isExit = ptx::isExit(last);
    if (!isExit && !ptx::isBranch(last)) {
      if (!step(warp, index, mask)) return false;
      warp.paths.go(index + 1);
      return true;
    }
    uint32_t holds = mask;
    if (last.guard.reg != ptx::kNone && !decide(warp, index, mask, holds)) return false;
    if (isExit) {
      warp.paths.leave(holds, index + 1);
    } else {
      warp.paths.branch(entry_, shape_, index, holds);
    }
    return true;
  }

  bool fail(std::string why) {
    wrong_ = std::move(why);
    return false;
  }

  // ---- Records ----

  /// Enters the record that begins with `index` in those lanes of `mask` that have it: all, or, of
  /// a guarded one, those whose guard held. False where the replay ends.
  bool enter(Warp& warp, uint32_t index, uint32_t mask, bool guarded, uint32_t& found) {
    const ptx::LogRecord& record = log_.records[log_.sites[index].record];
    found = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      LogReader& lane = warp.lanes[static_cast<uint32_t>(std::countr_zero(rest))];
      if (lane.isAt(record)) {
        found |= rest & (0U - rest);
      } else if (lane.isCut(record)) {
        recording_.cutShort();
        return false;
      } else if (!guarded) {
        return fail("instruction " + std::to_string(index) + " is missing");
      }
    }
    forEachLane(found, [&](uint32_t lane) { warp.lanes[lane].enter(record); });
    recordsRead_ += found != 0;
    return true;
  }

  /// Makes the records ready that hold what `index` logged, in those lanes of `mask` that ran it.
  bool take(Warp& warp, uint32_t index, uint32_t mask, uint32_t& found) {
    found = mask;
    const LogSite& site = log_.sites[index];
    if (log_.records[site.record].first != index) return true;
    const bool guarded =
        entry_.body[index].guard.reg != ptx::kNone && site.kind != LogSite::Kind::decision;
    return enter(warp, index, mask, guarded, found);
  }

  bool decide(Warp& warp, uint32_t index, uint32_t mask, uint32_t& holds) {
    uint32_t found = 0;
    if (!take(warp, index, mask, found)) return false;
    const uint32_t at = log_.sites[index].at;
    holds = 0;
    bool isKnown = true;
    forEachLane(mask, [&](uint32_t lane) {
      const uint32_t word = warp.lanes[lane].word(at);
      isKnown = isKnown && word <= 1;
      if (word == 1) holds |= 1U << lane;
    });
    return isKnown || fail("a branch is neither taken nor not");
  }

  bool step(Warp& warp, uint32_t index, uint32_t mask) {
    const LogSite& site = log_.sites[index];
    if (site.kind == LogSite::Kind::none) return true;
    uint32_t found = 0;
    if (!take(warp, index, mask, found)) return false;
    if (found == 0) return true;
    if (site.kind == LogSite::Kind::accumulate) {
      accumulate(warp, index, found);
    } else {
      access(warp, index, found);
    }
    return !recording_.truncated();
  }

  // ---- Events ----

  trace::TraceEvent eventOf(Warp& warp, uint32_t index) {
    trace::TraceEvent event;
    event.epoch = warp.epoch;
    event.warp = warp.index;
    event.sequence = warp.sequence++;
    event.instruction = index;
    event.line = entry_.body[index].outerLine.line;
    return event;
  }

  /// A lane's values, as memory holds them.
  static void copyValues(const LogReader& lane, const LogSite& site, std::byte* out) {
    for (uint32_t e = 0; e < site.elements; ++e) {
      const uint32_t at = site.at + e * site.elementWords;
      uint64_t bits = lane.word(at);
      if (site.elementWords == 2) bits |= uint64_t{lane.word(at + 1)} << 32;
      bits = littleEndian(bits);
      // The usual width as a constant: one move.
      if (site.elementBytes == 4) {
        std::memcpy(out, &bits, 4);
      } else {
        std::memcpy(out, &bits, site.elementBytes);
      }
      out += site.elementBytes;
    }
  }

  TracedMemory::Place locate(const LogReader& lane, const LogSite& site) const {
    const uint64_t base = lane.word(site.baseAt) | uint64_t{lane.word(site.baseAt + 1)} << 32;
    const uint64_t address = base + static_cast<uint64_t>(site.offset);
    if ((address & (site.width() - 1)) != 0) return {};
    return memory_.locate(site.space, address, site.width());
  }

  /// One event for each buffer that the lanes touch; nearly always one.
  void access(Warp& warp, uint32_t index, uint32_t mask) {
    const LogSite& site = log_.sites[index];
    std::array<TracedMemory::Place, kLanes> places;
    forEachLane(mask, [&](uint32_t lane) { places[lane] = locate(warp.lanes[lane], site); });
    for (uint32_t left = mask; left != 0 && !recording_.truncated();) {
      const TracedMemory::Place& first = places[static_cast<uint32_t>(std::countr_zero(left))];
      uint32_t together = 0;
      forEachLane(left, [&](uint32_t lane) {
        const bool isSame =
            places[lane].space == first.space && places[lane].buffer == first.buffer;
        if (isSame) together |= 1U << lane;
      });
      left &= ~together;
      if (first.space != trace::Space::none) addAccess(warp, index, together, places);
    }
  }

  void addAccess(Warp& warp, uint32_t index, uint32_t mask,
                 const std::array<TracedMemory::Place, kLanes>& places) {
    const LogSite& site = log_.sites[index];
    size_t count = 0;
    forEachLane(mask, [&](uint32_t lane) {
      offsets_[count] = places[lane].offset;
      copyValues(warp.lanes[lane], site, &values_[count * site.width()]);
      ++count;
    });
    const TracedMemory::Place& place = places[static_cast<uint32_t>(std::countr_zero(mask))];
    const bool isAtomic = site.kind == LogSite::Kind::atomic;
    trace::TraceEvent event = eventOf(warp, index);
    event.operation = isAtomic                            ? trace::Operation::atomic
                      : site.kind == LogSite::Kind::store ? trace::Operation::store
                                                          : trace::Operation::load;
    event.space = place.space;
    event.width = static_cast<uint8_t>(site.width());
    event.buffer = place.buffer;
    event.mask = mask;
    event.offsets = {offsets_.data(), count};
    if (!isAtomic) event.values = {values_.data(), count * site.width()};
    recording_.append(event);
  }

  void accumulate(Warp& warp, uint32_t index, uint32_t mask) {
    const LogSite& site = log_.sites[index];
    size_t count = 0;
    forEachLane(mask, [&](uint32_t lane) {
      std::byte* out = &values_[count++ * site.width()];
      copyValues(warp.lanes[lane], site, out);
      // The interpreter's registers hold a signed 16-bit number as 32 bits.
      if (site.isSigned16 && (warp.lanes[lane].word(site.at) & 0x8000U) != 0) {
        out[2] = out[3] = std::byte{0xff};
      }
    });
    trace::TraceEvent event = eventOf(warp, index);
    event.operation = trace::Operation::accumulate;
    event.width = static_cast<uint8_t>(site.width());
    event.buffer = static_cast<int16_t>(accumulatorOf_[index]);
    event.mask = mask;
    event.values = {values_.data(), count * site.width()};
    recording_.append(event);
  }

  // ---- Barriers ----

  bool atBarrier(Warp& warp, uint32_t index, uint32_t mask) {
    uint32_t lanes = 0;
    if (!take(warp, index, mask, lanes)) return false;
    if (lanes == 0) {
      warp.paths.go(index + 1);
      return true;
    }
    if (lanes != warp.paths.live()) warp.paths.letReturn(entry_, shape_);
    if (lanes != warp.paths.live())
      return fail("not all threads of a warp reach a barrier together");
    const LogReader& first = warp.lanes[static_cast<uint32_t>(std::countr_zero(lanes))];
    const uint32_t at = log_.sites[index].at;
    warp.barrier = first.word(at);
    warp.barrierThreads = first.word(at + 1);
    warp.state = Warp::State::waiting;
    trace::TraceEvent event = eventOf(warp, index);
    event.operation = trace::Operation::barrier;
    event.mask = warp.paths.live();
    recording_.append(event);
    warp.paths.go(index + 1);
    return true;
  }

  /// With a count: that many threads have arrived. Without: all warps that have not exited.
  [[nodiscard]] bool isComplete(const Warp& first) const {
    uint32_t arrived = 0;
    bool all = true;
    for (const Warp& warp : warps_) {
      const bool isHere = warp.state == Warp::State::waiting && warp.barrier == first.barrier;
      if (isHere) {
        arrived += kLanes;
      } else if (warp.state != Warp::State::done) {
        all = false;
      }
    }
    return first.barrierThreads == 0 ? all : arrived >= first.barrierThreads;
  }

  bool release() {
    bool released = false;
    for (size_t i = 0; i < warps_.size(); ++i) {
      if (warps_[i].state != Warp::State::waiting || !isComplete(warps_[i])) continue;
      const uint32_t barrier = warps_[i].barrier;
      for (size_t k = i; k < warps_.size(); ++k) {
        if (warps_[k].state != Warp::State::waiting || warps_[k].barrier != barrier) continue;
        warps_[k].state = Warp::State::ready;
        ++warps_[k].epoch;
      }
      released = true;
    }
    if (released) lookForUneven();
    return released;
  }

  void lookForUneven() {
    std::optional<uint32_t> epoch;
    for (const Warp& warp : warps_) {
      if (warp.state == Warp::State::done) continue;
      if (epoch && *epoch != warp.epoch) recording_.uneven = true;
      epoch = warp.epoch;
    }
  }

  const TracedLaunch& traced_;
  const ptx::Function& entry_;
  const ptx::TraceLog& log_;
  ProgramShape shape_;
  TracedMemory memory_;
  trace::Recording recording_;
  std::vector<uint32_t> accumulatorOf_;
  std::vector<Warp> warps_;
  std::optional<std::string> wrong_;
  uint64_t recordsRead_ = 0;
  std::array<uint32_t, kLanes> offsets_{};
  std::array<std::byte, size_t{kLanes} * 64> values_{};
};

}  // namespace

Result<trace::Recording> recordingOf(const TracedLaunch& traced, const ptx::TraceLog& log,
                                     const ThreadLogs& logs) {
  if (Status s = checkLogs(log, logs); !s) return s.error();
  return Replay(traced, log, logs).run();
}

}  // namespace tilestep::cuda
