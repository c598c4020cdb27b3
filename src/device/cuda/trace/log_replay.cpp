// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/trace/log_replay.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <optional>
#include <ranges>

#include "base/bytes.h"
#include "device/cuda/trace/traced_memory.h"
#include "ptx/analysis/accumulators.h"
#include "ptx/analysis/branches.h"
#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/feeds.h"
#include "ptx/rewrite/instrument_access.h"
#include "ptx/rewrite/own_returns.h"
#include "simt/machine.h"

namespace tilestep::cuda {
namespace {

using ptx::LogSite;
constexpr uint32_t kLanes = ptx::TraceLog::kLanes;
constexpr uint32_t kNowhere = ptx::kNone;

std::string placeText(const Dim3& block) {
  return std::to_string(block.x) + "," + std::to_string(block.y) + "," + std::to_string(block.z);
}

template <class Visit>
void forEachLane(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<uint32_t>(std::countr_zero(mask)));
}

/// Where each basic block of a function ends, as the interpreter cuts them: its warps take turns
/// by blocks.
struct Shape {
  explicit Shape(const ptx::Function& entry)
      : reconvergence(ptx::analyseControlFlow(entry).reconvergence),
        onlyReturns(ptx::onlyReturns(entry)) {
    const auto size = static_cast<uint32_t>(entry.body.size());
    std::vector<bool> starts(size + 1, false);
    starts[size] = true;
    for (uint32_t i = 0; i < size; ++i) {
      const ptx::Instruction& instruction = entry.body[i];
      const bool isBranch = ptx::isBranch(instruction);
      if (isBranch || ptx::isExit(instruction) || ptx::isBarrier(instruction)) starts[i + 1] = true;
      if (isBranch) starts[std::min(instruction.operands[0].target, size)] = true;
      if (reconvergence[i] <= size) starts[reconvergence[i]] = true;
    }
    blockEnd.resize(size + 1, size);
    for (uint32_t i = size; i-- > 0;) blockEnd[i] = starts[i + 1] ? i + 1 : blockEnd[i + 1];
  }

  std::vector<uint32_t> reconvergence;  ///< By instruction; kNowhere for none.
  std::vector<bool> onlyReturns;        ///< By instruction: branches and a return, nothing else.
  std::vector<uint32_t> blockEnd;       ///< By a block's first instruction.
};

/// A warp on its way through the program.
struct Warp {
  struct Path {
    uint32_t at, mask, reconverge;
  };
  enum class State : uint8_t { ready, waiting, done };

  uint32_t index = 0;
  uint32_t live = 0;
  uint32_t epoch = 0;
  uint32_t sequence = 0;
  uint32_t barrier = 0, barrierThreads = 0;
  State state = State::ready;
  std::vector<LogReader> lanes;
  /// The last is walked; what lies below waits. Paths that meet at one place lie side by side,
  /// above the path that has them meet.
  std::vector<Path> paths;

  void go(uint32_t to) {
    paths.back().at = to;
    meet();
  }

  /// Some lanes go to `target`, the others to `next`; all meet at `reconverge`.
  void split(uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge) {
    const uint32_t others = paths.back().mask & ~taken;
    if (reconverge == kNowhere) reconverge = paths.back().reconverge;
    if (paths.back().reconverge == reconverge) {
      paths.pop_back();
    } else {
      paths.back().at = reconverge;
    }
    if (next != reconverge) paths.push_back({next, others, reconverge});
    if (target != reconverge) paths.push_back({target, taken, reconverge});
    meet();
  }

  /// The lanes are gone for good; the others of the path go on at `next`.
  void leave(uint32_t gone, uint32_t next) {
    live &= ~gone;
    paths.back().at = next;
    for (Path& path : paths) path.mask &= ~gone;
    meet();
  }

  /// Lanes that wait, or have not had their turn, with nothing but a return before them are gone.
  void letReturn(const std::vector<bool>& onlyReturns) {
    uint32_t above = paths.back().mask;
    for (size_t i = paths.size() - 1; i-- > 0;) {
      const uint32_t here = paths[i].mask & ~above;
      above |= paths[i].mask;
      if (paths[i].at == kNowhere || !onlyReturns[paths[i].at]) continue;
      live &= ~here;
      for (Path& path : paths) path.mask &= ~here;
    }
  }

 private:
  /// Ends paths that have no lanes left or have arrived.
  void meet() {
    while (!paths.empty()) {
      const Path& path = paths.back();
      if (path.mask != 0 && (path.at != path.reconverge || path.at == kNowhere)) return regroup();
      paths.pop_back();
    }
  }

  /// As in the interpreter (simt/engine/paths.h): of the paths that meet where the last one does,
  /// the first in the program is walked, with the lanes of all that stand there.
  void regroup() {
    const uint32_t meeting = paths.back().reconverge;
    size_t first = paths.size() - 1;
    while (first > 0 && paths[first - 1].reconverge == meeting) --first;
    const auto group = std::ranges::subrange(paths.begin() + ptrdiff_t(first), paths.end());
    if (group.size() == 1) return;
    std::ranges::stable_sort(group, std::greater(), &Path::at);
    while (paths.size() > first + 1 && paths.back().at == paths[paths.size() - 2].at) {
      paths[paths.size() - 2].mask |= paths.back().mask;
      paths.pop_back();
    }
  }
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
    Warp warp;
    warp.index = index;
    for (uint32_t thread = index * kLanes; thread < std::min(log_.threads, (index + 1) * kLanes);
         ++thread) {
      warp.lanes.emplace_back(logs, thread);
    }
    const auto lanes = static_cast<uint32_t>(warp.lanes.size());
    warp.live = lanes == kLanes ? 0xffffffffU : (1U << lanes) - 1;
    warp.paths = {{0, warp.live, kNowhere}};
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
    for (uint32_t left = simt::kQuantum; !warp.paths.empty() && left != 0; --left) {
      if (!walkBlock(warp) || warp.state == Warp::State::waiting) return;
    }
    if (warp.paths.empty()) {
      warp.state = Warp::State::done;
    } else if (recordsRead_ == before) {
      fail("it goes round a loop without end");
    }
  }

  /// False where the replay ends.
  bool walkBlock(Warp& warp) {
    const uint32_t begin = warp.paths.back().at, mask = warp.paths.back().mask;
    const auto size = static_cast<uint32_t>(entry_.body.size());
    if (begin >= size) {
      warp.leave(mask, size);
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
      warp.go(index + 1);
      return true;
    }
    uint32_t holds = mask;
    if (last.guard.reg != ptx::kNone && !decide(warp, index, mask, holds)) return false;
    if (isExit) {
      warp.leave(holds, index + 1);
    } else {
      branch(warp, index, mask, holds);
    }
    return true;
  }

  void branch(Warp& warp, uint32_t index, uint32_t mask, uint32_t taken) {
    const auto size = static_cast<uint32_t>(entry_.body.size());
    const uint32_t target = std::min(entry_.body[index].operands[0].target, size);
    if (taken == mask) return warp.go(target);
    if (taken == 0) return warp.go(index + 1);
    const uint32_t meeting = shape_.reconvergence[index];
    warp.split(taken, target, index + 1, meeting <= size ? meeting : kNowhere);
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
      warp.go(index + 1);
      return true;
    }
    if (lanes != warp.live) warp.letReturn(shape_.onlyReturns);
    if (lanes != warp.live) return fail("not all threads of a warp reach a barrier together");
    const LogReader& first = warp.lanes[static_cast<uint32_t>(std::countr_zero(lanes))];
    const uint32_t at = log_.sites[index].at;
    warp.barrier = first.word(at);
    warp.barrierThreads = first.word(at + 1);
    warp.state = Warp::State::waiting;
    trace::TraceEvent event = eventOf(warp, index);
    event.operation = trace::Operation::barrier;
    event.mask = warp.live;
    recording_.append(event);
    warp.go(index + 1);
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
  Shape shape_;
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
