// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_segments.h"

#include <algorithm>
#include <set>

#include "ptx/analysis/branches.h"
#include "ptx/rewrite/instrument_access.h"

namespace tilestep::ptx {
namespace {

std::set<uint32_t> cutsOf(const Function& function) {
  const auto size = static_cast<uint32_t>(function.body.size());
  std::set<uint32_t> cuts{0};
  for (const Label& label : function.labels) cuts.insert(label.at);
  for (uint32_t i = 0; i < size; ++i) {
    const Instruction& instruction = function.body[i];
    if (isBranch(instruction) || isExit(instruction) || isBarrier(instruction)) cuts.insert(i + 1);
  }
  cuts.erase(cuts.lower_bound(size), cuts.end());
  return cuts;
}

Error indexedBranch(const Function& function, const Instruction& instruction) {
  return workError("A GPU cannot count " + function.name + ": its instruction at PTX line " +
                   std::to_string(instruction.ptxLine) +
                   " is an indexed branch (brx); the interpreter can count it.");
}

void connect(const Function& function, std::vector<Segment>& segments,
             const std::vector<uint32_t>& segmentAt) {
  for (uint32_t s = 0; s < segments.size(); ++s) {
    Segment& segment = segments[s];
    const Instruction& last = function.body[segment.end - 1];
    if (isBarrier(last)) segment.how = Segment::End::barrier;
    if (isExit(last)) segment.how = Segment::End::exit;
    const bool always = last.guard.reg == kNone && (isBranch(last) || isExit(last));
    if (!always && s + 1 < segments.size()) segment.next.push_back(s + 1);
    if (!isBranch(last) || last.operands.empty()) continue;
    const uint32_t target = last.operands.back().target;
    if (target < segmentAt.size()) segment.next.push_back(segmentAt[target]);
  }
}

}  // namespace

Result<std::vector<Segment>> segmentsOf(const Function& function) {
  for (const Instruction& instruction : function.body) {
    if (instruction.opcode == Opcode::brx) return indexedBranch(function, instruction);
  }
  std::vector<Segment> segments;
  std::vector<uint32_t> segmentAt(function.body.size(), 0);
  const std::set<uint32_t> cuts = cutsOf(function);
  for (auto cut = cuts.begin(); cut != cuts.end() && !function.body.empty(); ++cut) {
    Segment segment;
    segment.begin = *cut;
    segment.end = std::next(cut) == cuts.end() ? static_cast<uint32_t>(function.body.size())
                                               : *std::next(cut);
    std::fill(segmentAt.begin() + segment.begin, segmentAt.begin() + segment.end,
              static_cast<uint32_t>(segments.size()));
    segments.push_back(segment);
  }
  connect(function, segments, segmentAt);
  return segments;
}

std::vector<LoopSpan> loopSpans(const Function& function) {
  std::vector<LoopSpan> loops;
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    const Instruction& instruction = function.body[i];
    if (!isBranch(instruction) || instruction.operands.empty()) continue;
    const uint32_t target = instruction.operands.back().target;
    if (target <= i) loops.push_back({target, i});
  }
  return loops;
}

const LoopSpan* innermostLoop(const std::vector<LoopSpan>& loops, uint32_t index) {
  const LoopSpan* best = nullptr;
  for (const LoopSpan& loop : loops) {
    if (index < loop.begin || index > loop.end) continue;
    if (best == nullptr || loop.end - loop.begin < best->end - best->begin) best = &loop;
  }
  return best;
}

namespace {

/// The backward paths from a segment that pass no barrier, walked without recursion.
class BackwardWalk {
 public:
  explicit BackwardWalk(const std::vector<Segment>& segments)
      : segments_(segments), before_(segments.size()) {
    for (uint32_t s = 0; s < segments.size(); ++s) {
      if (segments[s].how == Segment::End::barrier) continue;
      for (const uint32_t next : segments[s].next) before_[next].push_back(s);
    }
  }

  /// Segments that lead to `from` by at least one step.
  [[nodiscard]] std::vector<bool> reach(uint32_t from) const {
    std::vector<bool> reached(segments_.size(), false);
    std::vector<uint32_t> open = before_[from];
    while (!open.empty()) {
      const uint32_t s = open.back();
      open.pop_back();
      if (reached[s]) continue;
      reached[s] = true;
      open.insert(open.end(), before_[s].begin(), before_[s].end());
    }
    return reached;
  }

 private:
  const std::vector<Segment>& segments_;
  std::vector<std::vector<uint32_t>> before_;
};

}  // namespace

std::vector<Visits> visitsBefore(const std::vector<Segment>& segments, uint32_t last) {
  const BackwardWalk walk(segments);
  std::vector<bool> reached = walk.reach(last);
  reached[last] = true;
  std::vector<Visits> visits(segments.size(), Visits::never);
  for (uint32_t s = 0; s < segments.size(); ++s) {
    if (reached[s]) visits[s] = walk.reach(s)[s] ? Visits::often : Visits::once;
  }
  return visits;
}

}  // namespace tilestep::ptx
