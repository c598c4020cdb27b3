// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/laps.h"

#include <algorithm>
#include <set>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/strong_components.h"
#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument_access.h"
#include "ptx/rewrite/instrument_groups.h"

namespace tilestep::ptx {
namespace {

constexpr uint32_t kMostBits = 30;

/// Looks at one loop: the segments first … last, where `last` may branch back to `first`.
class LapFinder {
 public:
  LapFinder(const Function& function, const std::vector<Segment>& segments,
            const std::vector<std::vector<AccessGroup>>& groups, const LaneMoves& moves,
            const ControlFlow& flow)
      : function_(function), segments_(segments), groups_(groups), moves_(moves), flow_(flow) {}

  std::optional<Lap> look(uint32_t first, uint32_t last) {
    lap_ = {};
    lap_.first = first;
    lap_.last = last;
    const bool isLap = isEnteredAndLeftAtTheEnds() && hasPlainLoops() && hasPlainBarriers() &&
                       staysTogether() && isCountable() && findBits() && findCheck();
    if (!isLap) return {};
    return lap_;
  }

 private:
  using How = LapPart::How;

  [[nodiscard]] const Instruction& lastOf(uint32_t segment) const {
    return function_.body[segments_[segment].end - 1];
  }
  LapPart& part(uint32_t segment) { return lap_.parts[segment - lap_.first]; }

  /// Segments that may follow within the lap.
  [[nodiscard]] std::vector<uint32_t> nextInLap(uint32_t segment) const {
    if (segment == lap_.last) return {};
    return segments_[segment].next;
  }

  // ---- Shape ----

  bool isEnteredAndLeftAtTheEnds() {
    const uint32_t first = lap_.first, last = lap_.last;
    if (first == 0 || lastOf(last).guard.reg == kNone) return false;
    const Instruction& before = lastOf(first - 1);
    const bool jumpsThere =
        isBranch(before) && before.operands.back().target == segments_[first].begin;
    if (jumpsThere) return false;
    for (uint32_t s = 0; s < segments_.size(); ++s) {
      const bool isInside = lap_.holds(s);
      if (isInside && segments_[s].how == Segment::End::exit) return false;
      for (const uint32_t next : segments_[s].next) {
        if (isInside && s != last && !lap_.holds(next)) return false;
        if (isInside && s != last && next == first) return false;
        if (!isInside && lap_.holds(next) && (next != first || s != first - 1)) return false;
      }
    }
    const std::vector<uint32_t>& ends = segments_[last].next;
    return ends.size() == 2 && ends[0] == last + 1 && ends[1] == first;
  }

  // Loops within are one segment without barriers and without global memory, all lanes together;
  // whatever else goes round is unfit. The rest goes forward in the text.
  bool hasPlainLoops() {
    const uint32_t size = lap_.last - lap_.first + 1;
    std::vector<std::vector<uint32_t>> edges(size);
    for (uint32_t s = lap_.first; s <= lap_.last; ++s) {
      lap_.parts.push_back({s, How::always, 0, 0});
      for (const uint32_t next : nextInLap(s)) edges[s - lap_.first].push_back(next - lap_.first);
    }
    const std::vector<uint32_t> component = strongComponents(edges);
    std::vector<uint32_t> sizes(size, 0);
    for (const uint32_t c : component) ++sizes[c];
    for (uint32_t i = 0; i < size; ++i) {
      const uint32_t s = lap_.first + i;
      const bool isAlone = sizes[component[i]] == 1;
      const bool isLoop = std::find(edges[i].begin(), edges[i].end(), i) != edges[i].end();
      if (isLoop || !isAlone) part(s).how = isAlone && isPlainLoop(s) ? How::repeated : How::unfit;
      if (part(s).how != How::always && segments_[s].how == Segment::End::barrier) return false;
      for (const uint32_t next : edges[i]) {
        if (next <= i && component[next] != component[i]) return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool isPlainLoop(uint32_t s) const {
    const Guard& guard = lastOf(s).guard;
    const bool isGlobal =
        std::any_of(groups_[s].begin(), groups_[s].end(),
                    [](const AccessGroup& g) { return g.access.space != Space::shared; });
    return !isGlobal && guard.reg != kNone && moves_.isShared(guard.reg);
  }

  // Every way through the lap passes as many barriers, none of them guarded.
  bool hasPlainBarriers() {
    std::vector<bool> isKnown(lap_.parts.size(), false);
    isKnown[0] = true;
    for (uint32_t s = lap_.first; s <= lap_.last; ++s) {
      if (!isKnown[s - lap_.first]) return false;
      const bool isEnd = segments_[s].how == Segment::End::barrier;
      if (isEnd && lastOf(s).guard.reg != kNone) return false;
      const uint32_t after = part(s).epoch + (isEnd ? 1 : 0);
      for (const uint32_t next : nextInLap(s)) {
        const bool isBack = next <= s;
        if (isKnown[next - lap_.first] && part(next).epoch != after) return false;
        if (isBack) continue;
        isKnown[next - lap_.first] = true;
        part(next).epoch = after;
      }
    }
    lap_.barriers = part(lap_.last).epoch;
    return lap_.barriers > 0 && lap_.barriers <= CountTable::kPeriods &&
           segments_[lap_.last].how == Segment::End::flow;
  }

  // ---- Lanes ----

  /// Segments reached from `from` without passing `stop` and, with `inLap`, without leaving the
  /// lap or beginning the next.
  [[nodiscard]] std::vector<bool> reached(uint32_t from, uint32_t stop, bool inLap) const {
    std::vector<bool> seen(segments_.size(), false);
    std::vector<uint32_t> open{from};
    while (!open.empty()) {
      const uint32_t s = open.back();
      open.pop_back();
      if (s == stop || seen[s] || (inLap && !lap_.holds(s))) continue;
      seen[s] = true;
      const std::vector<uint32_t>& next = segments_[s].next;
      if (inLap && s == lap_.last) continue;
      open.insert(open.end(), next.begin(), next.end());
    }
    return seen;
  }

  /// The segment that begins where the lanes of a branch meet again.
  [[nodiscard]] uint32_t meeting(uint32_t s) const {
    const uint32_t index = flow_.reconvergence[segments_[s].end - 1];
    for (uint32_t m = 0; m < segments_.size(); ++m) {
      if (segments_[m].begin == index) return m;
    }
    return kNone;
  }

  // Lanes that part at a branch meet again before a lap begins, and where they meet within one no
  // segment is run by two parties one after the other.
  bool staysTogether() {
    for (uint32_t s = 0; s < segments_.size(); ++s) {
      const Instruction& branch = lastOf(s);
      if (!isBranch(branch) || branch.guard.reg == kNone || segments_[s].next.size() < 2) continue;
      if (moves_.isShared(branch.guard.reg)) continue;
      const bool isInside = lap_.holds(s);
      if (isInside && (s == lap_.last || part(s).how == How::repeated)) return false;
      if (isInside && part(s).how == How::unfit) continue;
      const uint32_t stop = meeting(s);
      const auto a = reached(segments_[s].next[0], stop, isInside);
      const auto b = reached(segments_[s].next[1], stop, isInside);
      if (!isInside && (a[lap_.first] || b[lap_.first])) return false;
      if (!isInside) continue;
      for (uint32_t t = lap_.first; t <= lap_.last; ++t) {
        if (a[t] && b[t]) return false;
      }
    }
    return true;
  }

  // ---- Contents ----

  bool isCountable() {
    for (uint32_t s = lap_.first; s <= lap_.last; ++s) {
      if (part(s).how == How::unfit) continue;
      for (uint32_t i = segments_[s].begin; i < segments_[s].end; ++i) {
        const Instruction& instruction = function_.body[i];
        const bool isGuarded = instruction.guard.reg != kNone;
        const auto access = accessOf(instruction);
        if (access && !isPlain(instruction, *access)) return false;
        if (isGuarded && (arithmeticOf(instruction) || isExit(instruction))) return false;
        if (instruction.opcode == Opcode::call) return false;
      }
      for (const AccessGroup& group : groups_[s]) {
        const uint32_t base = group.base();
        if (base != kNone && !moves_.inStep(base)) return false;
      }
    }
    return true;
  }

  bool findBits() {
    uint32_t bits = 0;
    for (LapPart& p : lap_.parts) {
      if (p.how != How::always || isAlwaysRun(p.segment)) continue;
      p.how = How::sometimes;
      p.bit = bits++;
    }
    return bits <= kMostBits;
  }

  [[nodiscard]] bool isAlwaysRun(uint32_t s) const {
    return s == lap_.first || s == lap_.last || !reached(lap_.first, s, true)[lap_.last];
  }

  // ---- The place of the check ----

  // The first barrier that every lane passes and behind which nothing depends on where lanes go.
  bool findCheck() {
    for (uint32_t s = lap_.first; s <= lap_.last; ++s) {
      if (segments_[s].how != Segment::End::barrier || part(s).how != How::always) continue;
      const bool isSettled = std::all_of(lap_.parts.begin(), lap_.parts.end(), [&](const auto& p) {
        return p.segment <= s || p.how == How::always;
      });
      if (!isSettled || !keepsAddresses(segments_[s].end - 1)) continue;
      lap_.checkAt = segments_[s].end - 1;
      return true;
    }
    return false;
  }

  // Whether every base register holds at `place` what the accesses through it start from. In a
  // loop within, the last round's will do: lanes keep their distances.
  [[nodiscard]] bool keepsAddresses(uint32_t place) const {
    for (const LapPart& p : lap_.parts) {
      if (p.how == How::unfit) continue;
      const Segment& segment = segments_[p.segment];
      for (const AccessGroup& group : groups_[p.segment]) {
        const uint32_t base = group.base();
        if (base == kNone) continue;
        uint32_t from = std::min(group.at, place), to = std::max(group.at, place);
        if (p.how == How::repeated) from = segment.end;
        for (uint32_t i = from; i < to; ++i) {
          if (writes(i, base)) return false;
        }
        // Other accesses of the group follow in the same segment, before any write of the base.
      }
    }
    return true;
  }

  [[nodiscard]] bool writes(uint32_t index, uint32_t reg) const {
    const std::vector<uint32_t> written = writtenRegisters(function_.body[index]);
    return std::find(written.begin(), written.end(), reg) != written.end();
  }

  const Function& function_;
  const std::vector<Segment>& segments_;
  const std::vector<std::vector<AccessGroup>>& groups_;
  const LaneMoves& moves_;
  const ControlFlow& flow_;
  Lap lap_;
};

}  // namespace

bool Lap::mayNotFit() const {
  return std::any_of(parts.begin(), parts.end(),
                     [](const LapPart& p) { return p.how == LapPart::How::unfit; });
}

std::vector<Lap> findLaps(const Function& function, const std::vector<Segment>& segments,
                          const std::vector<std::vector<AccessGroup>>& groups,
                          const LaneMoves& moves) {
  std::vector<Lap> laps;
  if (function.body.empty()) return laps;
  const ControlFlow flow = analyseControlFlow(function);
  const auto at = [&](uint32_t index) {
    return static_cast<uint32_t>(
        std::find_if(segments.begin(), segments.end(),
                     [&](const Segment& s) { return index >= s.begin && index < s.end; }) -
        segments.begin());
  };
  LapFinder finder(function, segments, groups, moves, flow);
  for (const LoopSpan& span : loopSpans(function)) {
    const bool hasBarrier =
        std::any_of(function.body.begin() + span.begin, function.body.begin() + span.end,
                    [](const Instruction& i) { return isBarrier(i); });
    if (!hasBarrier) continue;
    if (auto lap = finder.look(at(span.begin), at(span.end))) laps.push_back(std::move(*lap));
  }
  return laps;
}

}  // namespace tilestep::ptx
