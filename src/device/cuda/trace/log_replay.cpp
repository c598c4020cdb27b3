// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/trace/log_replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "base/bytes.h"
#include "device/cuda/trace/log_walk.h"
#include "device/cuda/trace/traced_memory.h"
#include "ptx/analysis/accumulators.h"
#include "ptx/analysis/feeds.h"
#include "simt/machine.h"

namespace tilestep::cuda {
namespace {

using ptx::LogSite;
constexpr uint32_t kLanes = ptx::TraceLog::kLanes;

std::string placeText(const Dim3& block) {
  return std::to_string(block.x) + "," + std::to_string(block.y) + "," + std::to_string(block.z);
}

struct Warp {
  enum class State : uint8_t { ready, waiting, done };

  uint32_t index = 0;
  LogWalk walk;
  uint32_t epoch = 0;
  uint32_t sequence = 0;
  uint32_t barrier = 0, barrierThreads = 0;
  State state = State::ready;
};

/// Walks the block's warps in turn, each until its next barrier, and records their execution.
class Replay : private LogVisitor {
 public:
  Replay(const TracedLaunch& traced, const ptx::TraceLog& log, const ThreadLogs& logs)
      : traced_(traced),
        program_(*traced.entry, log),
        memory_(traced, log, logs.addresses),
        recording_(traced.traceBytes) {
    const ptx::Accumulators accumulators = ptx::findAccumulators(program_.entry);
    accumulatorOf_ = accumulators.updatedBy;
    recording_.block = traced.block;
    recording_.blockShape = traced.launch.block;
    recording_.device = traced.device;
    recording_.sharedArrays = memory_.sharedArrays();
    recording_.accumulators = accumulators.count;
    recording_.sumStores = accumulators.storePairs();
    recording_.feeds = ptx::feeds(program_.entry);
    for (uint32_t w = 0; w < log.warps(); ++w) addWarp(w, logs);
  }

  Result<trace::BlockTrace> run() {
    while (!ended()) {
      bool ran = false;
      for (Warp& warp : warps_) {
        if (warp.state != Warp::State::ready || ended()) continue;
        walk(warp);
        ran = true;
      }
      const bool released = !ended() && release();
      if (ran || released) continue;
      const bool isStuck = std::ranges::any_of(
          warps_, [](const Warp& warp) { return warp.state == Warp::State::waiting; });
      if (isStuck) return astray("its warps wait for each other");
      break;
    }
    if (wrong_) return astray(*wrong_);
    if (!recording_.truncated() && anythingLeft())
      return astray("a log continues after the block's end");
    recording_.finish();
    return std::move(recording_);
  }

 private:
  [[nodiscard]] bool ended() const { return wrong_ || recording_.truncated(); }

  [[nodiscard]] Error astray(const std::string& what) const {
    return program_.contradiction("block " + placeText(traced_.block), what);
  }

  void addWarp(uint32_t index, const ThreadLogs& logs) {
    const uint32_t first = index * kLanes;
    std::vector<LogReader> lanes;
    for (uint32_t t = first; t < std::min(program_.log.threads, first + kLanes); ++t) {
      lanes.emplace_back(logs, t);
    }
    warps_.push_back({.index = index, .walk = LogWalk(program_, std::move(lanes))});
  }

  [[nodiscard]] bool anythingLeft() const {
    return std::ranges::any_of(warps_, [](const Warp& warp) { return warp.walk.hasMore(); });
  }

  /// One turn of a warp.
  void walk(Warp& warp) {
    running_ = &warp;
    for (uint32_t left = simt::kQuantum; !warp.walk.finished() && left != 0; --left) {
      if (!warp.walk.walkBlock(*this) && !recording_.truncated()) stopAt(warp.walk);
      if (ended() || warp.state == Warp::State::waiting) return;
    }
    if (warp.walk.finished()) warp.state = Warp::State::done;
  }

  void stopAt(const LogWalk& walk) {
    if (walk.isCut()) {
      recording_.cutShort();
    } else {
      wrong_ = walk.wrong();
    }
  }

  // ---- Events ----

  void onSite(uint32_t index, uint32_t lanes) override {
    if (program_.log.sites[index].kind == LogSite::Kind::accumulate) {
      accumulate(index, lanes);
    } else {
      access(index, lanes);
    }
  }

  void onBarrier(uint32_t index, uint32_t lanes) override {
    const LogReader& first = lane(static_cast<uint32_t>(std::countr_zero(lanes)));
    const uint32_t at = program_.log.sites[index].at;
    running_->barrier = first.word(at);
    running_->barrierThreads = first.word(at + 1);
    running_->state = Warp::State::waiting;
    trace::TraceEvent event = eventOf(index);
    event.operation = trace::Operation::barrier;
    event.mask = lanes;
    recording_.append(event);
  }

  [[nodiscard]] const LogReader& lane(uint32_t lane) const { return running_->walk.lane(lane); }

  trace::TraceEvent eventOf(uint32_t index) {
    trace::TraceEvent event;
    event.epoch = running_->epoch;
    event.warp = running_->index;
    event.sequence = running_->sequence++;
    event.instruction = index;
    event.line = program_.entry.body[index].outerLine.line;
    return event;
  }

  /// A lane's values, in their memory layout.
  static void copyValues(const LogReader& lane, const LogSite& site, std::byte* out) {
    for (uint32_t e = 0; e < site.elements; ++e) {
      const uint32_t at = site.at + e * site.elementWords;
      uint64_t bits = lane.word(at);
      if (site.elementWords == 2) bits |= uint64_t{lane.word(at + 1)} << 32;
      bits = littleEndian(bits);
      // The most common width is a constant, so that the copy compiles to one move.
      if (site.elementBytes == 4) {
        std::memcpy(out, &bits, 4);
      } else {
        std::memcpy(out, &bits, site.elementBytes);
      }
      out += site.elementBytes;
    }
  }

  TracedMemory::Place locate(const LogReader& lane, const LogSite& site) const {
    const uint64_t address = lane.base(site) + static_cast<uint64_t>(site.offset);
    if ((address & (site.width() - 1)) != 0) return {};
    return memory_.locate(site.space, address, site.width());
  }

  /// Records one event for each buffer that the lanes access, nearly always one.
  void access(uint32_t index, uint32_t mask) {
    const LogSite& site = program_.log.sites[index];
    std::array<TracedMemory::Place, kLanes> places;
    forEachLane(mask, [&](uint32_t l) { places[l] = locate(lane(l), site); });
    for (uint32_t left = mask; left != 0 && !recording_.truncated();) {
      const TracedMemory::Place& first = places[static_cast<uint32_t>(std::countr_zero(left))];
      uint32_t together = 0;
      forEachLane(left, [&](uint32_t lane) {
        const bool isSame =
            places[lane].space == first.space && places[lane].buffer == first.buffer;
        if (isSame) together |= 1U << lane;
      });
      left &= ~together;
      if (first.space != trace::Space::none) addAccess(index, together, places);
    }
  }

  void addAccess(uint32_t index, uint32_t mask,
                 const std::array<TracedMemory::Place, kLanes>& places) {
    const LogSite& site = program_.log.sites[index];
    size_t count = 0;
    forEachLane(mask, [&](uint32_t l) {
      offsets_[count] = places[l].offset;
      copyValues(lane(l), site, &values_[count * site.width()]);
      ++count;
    });
    const TracedMemory::Place& place = places[static_cast<uint32_t>(std::countr_zero(mask))];
    const bool isAtomic = site.kind == LogSite::Kind::atomic;
    trace::TraceEvent event = eventOf(index);
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

  void accumulate(uint32_t index, uint32_t mask) {
    const LogSite& site = program_.log.sites[index];
    size_t count = 0;
    forEachLane(mask, [&](uint32_t l) {
      std::byte* out = &values_[count++ * site.width()];
      copyValues(lane(l), site, out);
      // The interpreter's registers hold a signed 16-bit number in 32 bits.
      if (site.isSigned16 && (lane(l).word(site.at) & 0x8000U) != 0) {
        out[2] = out[3] = std::byte{0xff};
      }
    });
    trace::TraceEvent event = eventOf(index);
    event.operation = trace::Operation::accumulate;
    event.width = static_cast<uint8_t>(site.width());
    event.buffer = static_cast<int16_t>(accumulatorOf_[index]);
    event.mask = mask;
    event.values = {values_.data(), count * site.width()};
    recording_.append(event);
  }

  // ---- Barriers ----

  /// A barrier with a count is complete when that many threads have arrived; a barrier without one,
  /// when all warps that have not exited have arrived.
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
  const LoggedProgram program_;
  TracedMemory memory_;
  trace::BlockTrace recording_;
  std::vector<uint32_t> accumulatorOf_;
  std::vector<Warp> warps_;
  Warp* running_ = nullptr;  ///< The warp that is walking.
  std::optional<std::string> wrong_;
  std::array<uint32_t, kLanes> offsets_{};
  std::array<std::byte, size_t{kLanes} * 64> values_{};
};

}  // namespace

Result<trace::BlockTrace> recordingOf(const TracedLaunch& traced, const ptx::TraceLog& log,
                                      const ThreadLogs& logs) {
  if (Status s = checkLogs(log, logs); !s) return s.error();
  return Replay(traced, log, logs).run();
}

}  // namespace tilestep::cuda
