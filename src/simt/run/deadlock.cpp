// SPDX-License-Identifier: Apache-2.0
// The message for a block in which no thread can continue, or that was stopped.
#include <algorithm>
#include <map>

#include "simt/run/special_rows.h"
#include "simt/run/worker.h"

namespace tilestep::simt {
namespace {

constexpr size_t kMostGroups = 6;

using Threads = std::vector<uint32_t>;  ///< Indices in the block, ascending.

/// "thread 3", "threads 0–31 and 40"
std::string rangesOf(const Threads& threads) {
  std::vector<std::string> ranges;
  for (size_t i = 0; i < threads.size();) {
    size_t end = i;
    while (end + 1 < threads.size() && threads[end + 1] == threads[end] + 1) ++end;
    std::string range = std::to_string(threads[i]);
    if (end != i) range += "–" + std::to_string(threads[end]);
    ranges.push_back(std::move(range));
    i = end + 1;
  }
  std::string text = threads.size() == 1 ? "thread " : "threads ";
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (i == 4 && ranges.size() > 5) {
      return text + " and " + std::to_string(ranges.size() - i) + " more ranges";
    }
    text += (i == 0 ? "" : i + 1 == ranges.size() ? " and " : ", ") + ranges[i];
  }
  return text;
}

void addLanes(Threads& threads, const Warp& warp, uint32_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    threads.push_back(warp.index * kLanes + static_cast<uint32_t>(__builtin_ctz(mask)));
  }
}

/// Describes at which instructions threads wait or have exited.
class Situation {
 public:
  explicit Situation(const Program& program) : program_(program) {}

  void add(const Warp& warp, uint32_t existing) {
    uint32_t named = 0;
    for (uint32_t i = 0; i < warp.paths.count; ++i) {
      const Path& path = warp.paths.paths[i];
      if (path.wait == Path::Wait::nothing) continue;
      named |= path.mask;
      addWaiting(warp, path);
    }
    const uint32_t meeting = warp.live & ~named;
    if (meeting != 0) addLanes(meeting_, warp, meeting);
    if (const uint32_t gone = existing & ~warp.live) {
      addLanes(groups_[{warp.exitSource, std::string()}], warp, gone);
    }
  }

  /// A barrier that some lanes of a warp reached and others did not, if there is one.
  struct Divergent {
    uint32_t source = kNoPath;
    uint32_t thread = 0;  ///< A thread that did not reach it.
  };
  [[nodiscard]] const Divergent& divergent() const { return divergent_; }

  [[nodiscard]] std::string text() const {
    std::vector<std::string> parts;
    for (const auto& [place, threads] : groups_) {
      const auto& [source, awaited] = place;
      const bool left = awaited.empty();
      std::string part = rangesOf(threads);
      part += left ? " left" : (threads.size() == 1 ? " waits " : " wait ") + awaited;
      if (const uint32_t line = program_.lineOf(source); line != 0)
        part += (left ? " at line " : ", line ") + std::to_string(line);
      parts.push_back(std::move(part));
    }
    if (!meeting_.empty()) {
      const bool one = meeting_.size() == 1;
      parts.push_back(rangesOf(meeting_) + (one ? " waits to reconverge with its warp"
                                                : " wait to reconverge with their warp"));
    }
    std::string text;
    for (size_t i = 0; i < std::min(parts.size(), kMostGroups); ++i) {
      text += (i == 0 ? "" : "; ") + parts[i];
    }
    if (parts.size() > kMostGroups) text += "; and others elsewhere";
    return text;
  }
  /// Where the first waiting thread waits.
  [[nodiscard]] uint32_t firstSource() const { return first_; }
  [[nodiscard]] uint32_t firstThread() const { return firstThread_; }

 private:
  void addWaiting(const Warp& warp, const Path& path) {
    const DecodedBlock& block = program_.blocks[path.block];
    const auto lane = static_cast<uint32_t>(__builtin_ctz(path.mask));
    if (first_ == kNoPath) {
      first_ = block.source;
      firstThread_ = warp.index * kLanes + lane;
    }
    std::string awaited;
    if (path.wait == Path::Wait::barrier) {
      awaited = "at barrier " + std::to_string(path.barrier);
      if (path.threads != 0) awaited += " for " + std::to_string(path.threads) + " threads";
      if (block.aligned && path.mask != warp.live && divergent_.source == kNoPath) {
        note(warp, path, block);
      }
    } else {
      Threads missing;
      addLanes(missing, warp, path.members & warp.live & ~path.mask);
      awaited = "for " + rangesOf(missing);
    }
    addLanes(groups_[{block.source, awaited}], warp, path.mask);
  }

  void note(const Warp& warp, const Path& path, const DecodedBlock& block) {
    uint32_t here = 0;
    for (uint32_t i = 0; i < warp.paths.count; ++i) {
      const Path& other = warp.paths.paths[i];
      if (other.wait == Path::Wait::barrier && other.block == path.block) here |= other.mask;
    }
    if (here == warp.live) return;
    const auto lane = static_cast<uint32_t>(__builtin_ctz(warp.live & ~here));
    divergent_ = {block.source, warp.index * kLanes + lane};
  }

  const Program& program_;
  std::map<std::pair<uint32_t, std::string>, Threads> groups_;
  Threads meeting_;
  Divergent divergent_;
  uint32_t first_ = kNoPath, firstThread_ = 0;
};

}  // namespace

void Worker::stuck() {
  Situation situation(setup_.program);
  for (const Warp& warp : now_->warp) situation.add(warp, lanesOf(warp.index));
  const bool divergent = situation.divergent().source != kNoPath;
  const uint32_t source = divergent ? situation.divergent().source : situation.firstSource();
  const uint32_t thread = divergent ? situation.divergent().thread : situation.firstThread();
  Fault fault;
  fault.kind = "deadlock";
  fault.line = setup_.program.lineOf(source);
  fault.thread = threadAt(setup_.request->launch.block, thread);
  fault.block = now_->block;
  fault.message =
      (divergent ? "A barrier is in divergent code, so not all threads of the warp reach it: "
                 : "Deadlock: no thread can continue: ") +
      situation.text() + placeText(fault);
  broken_ = true;
  simt::addFault(faults_, std::move(fault));
  requestStop(setup_);
}

/// After a stop, records the position of the first warp that could still run.
void Worker::noteInterrupted() {
  for (uint32_t i = 0; i < warps_ && !interrupted_; ++i) {
    const Warp& warp = now_->warp[i];
    if (now_->state[i] != State::ready || warp.paths.current >= warp.paths.count) continue;
    const Path& path = warp.paths.paths[warp.paths.current];
    Fault& place = interrupted_.emplace();
    place.line = lineOfBlock(path.block);
    place.block = now_->block;
    place.thread = threadAt(setup_.request->launch.block,
                            i * kLanes + static_cast<uint32_t>(__builtin_ctz(path.mask)));
  }
}

uint32_t Worker::lineOfBlock(uint32_t block) const {
  return setup_.program.lineOf(setup_.program.blocks[block].source);
}

}  // namespace tilestep::simt
