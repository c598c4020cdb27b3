// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/counting/warp_counts.h"

#include <algorithm>
#include <bit>
#include <string>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument_access.h"
#include "ptx/rewrite/instrument_copies.h"
#include "simt/request_counts.h"

namespace tilestep::cuda {
namespace {

using ptx::LogSite;
using ptx::Space;

constexpr uint32_t kLanes = ptx::TraceLog::kLanes;
/// Distances that are a multiple of it change no request of global or of shared memory.
constexpr int64_t kSector = 32, kBankRow = 128;
/// Patterns that one register is remembered to have had. Irregular programs have a new one each
/// time.
constexpr size_t kMostPatterns = 64;
/// Patterns and costs that a counter keeps in all, some 20 MB; then they are forgotten.
constexpr size_t kMostKept = size_t{1} << 16;

uint32_t lowest(uint32_t mask) {
  return static_cast<uint32_t>(std::countr_zero(mask));
}

}  // namespace

/// One warp on its way.
class WarpCounter::Walk {
 public:
  Walk(const ptx::TraceLog& log, const WarpLog& own)
      : paths(own.lanes == kLanes ? ~0U : (1U << own.lanes) - 1), log_(log) {
    for (uint32_t lane = 0; lane < own.lanes; ++lane) {
      lanes.emplace_back(own.words.data(), lane, own.wanted[lane], own.room);
    }
  }

  [[nodiscard]] trace::Counters& now() { return counts.back(); }

  /// Makes the record ready that holds what `index` logged, in the lanes of `mask` that ran it.
  bool take(uint32_t index, uint32_t mask, bool guarded, uint32_t& found) {
    found = mask;
    const ptx::LogRecord& record = log_.records[log_.sites[index].record];
    if (record.first != index) return true;
    found = 0;
    bool isWhole = true;
    forEachLane(mask, [&](uint32_t lane) {
      if (lanes[lane].isAt(record)) {
        lanes[lane].enter(record);
        found |= 1U << lane;
      } else if (lanes[lane].isCut(record) || !guarded) {
        isWhole = false;
      }
    });
    return isWhole;
  }

  /// The lanes of `mask` for which the decision holds.
  bool decide(uint32_t index, uint32_t mask, uint32_t& holds) {
    uint32_t found = 0;
    if (!take(index, mask, false, found)) return false;
    const uint32_t at = log_.sites[index].at;
    holds = 0;
    bool isKnown = true;
    forEachLane(mask, [&](uint32_t lane) {
      const uint32_t word = lanes[lane].word(at);
      isKnown = isKnown && word <= 1;
      if (word == 1) holds |= 1U << lane;
    });
    return isKnown;
  }

  WarpPaths paths;
  std::vector<LogReader> lanes;
  WarpCounts counts = WarpCounts(1);

 private:
  const ptx::TraceLog& log_;
};

WarpCounter::WarpCounter(const ptx::Function& entry, const ptx::TraceLog& log)
    : entry_(entry), log_(log), shape_(entry), blocks_(entry.body.size()) {}

// ---- Blocks ----

const WarpCounter::Block& WarpCounter::blockAt(uint32_t begin) {
  std::optional<Block>& block = blocks_[begin];
  if (block) return *block;
  block.emplace();
  block->end = shape_.blockEnd[begin];
  for (uint32_t i = begin; i < block->end; ++i) addStep(*block, i);
  return *block;
}

void WarpCounter::addStep(Block& block, uint32_t index) const {
  const ptx::Instruction& i = entry_.body[index];
  if (!ptx::isAdded(i)) ++block.instructions;
  const LogSite& site = log_.sites[index];
  if (site.kind == LogSite::Kind::none) {
    const auto operation = ptx::arithmeticOf(i);
    if (operation == ptx::Arithmetic::ffma) ++block.ffma;
    if (operation == ptx::Arithmetic::fadd) ++block.fadd;
    if (operation == ptx::Arithmetic::fmul) ++block.fmul;
    return;
  }
  const bool isLast = index + 1 == block.end;
  if (isLast && (ptx::isBranch(i) || ptx::isExit(i) || ptx::isBarrier(i))) return;
  Step step{.instruction = index};
  step.isDecision = site.kind == LogSite::Kind::decision;
  if (const auto access = ptx::accessOf(i)) {
    step.isAccess = true;
    step.isStore = access->isStore;
    step.width = access->width;
  }
  block.steps.push_back(step);
}

// ---- Requests ----

/// The pattern of the register that a site's address starts from.
WarpCounter::Base WarpCounter::baseOf(const Walk& walk, const LogSite& site, uint32_t mask) {
  Pattern pattern;
  pattern.mask = mask;
  Base base;
  const uint32_t leader = lowest(mask);
  forEachLane(mask, [&](uint32_t lane) {
    const uint64_t low = walk.lanes[lane].word(site.baseAt);
    const uint64_t high = walk.lanes[lane].word(site.baseAt + 1);
    const auto address = static_cast<int64_t>(low | high << 32);
    if (lane == leader) base.first = address;
    pattern.apart[lane] = address - base.first;
  });
  if (patterns_.size() >= kMostKept || costs_.size() >= kMostKept) {
    patterns_.clear();
    patternsOf_.clear();
    costs_.clear();
  }
  std::vector<uint32_t>& latest = patternsOf_[{site.record, site.baseAt}];
  for (size_t i = latest.size(); i-- > 0;) {
    if (patterns_[latest[i]] != pattern) continue;
    base.pattern = latest[i];
    return base;
  }
  if (latest.size() == kMostPatterns) latest.erase(latest.begin());
  base.pattern = static_cast<uint32_t>(patterns_.size());
  latest.push_back(base.pattern);
  patterns_.push_back(pattern);
  return base;
}

void WarpCounter::access(Walk& walk, const Step& step, uint32_t mask) {
  const LogSite& site = log_.sites[step.instruction];
  if (site.space == Space::global) return addGlobal(walk, step, mask);
  if (site.space == Space::shared) return addShared(walk, step, mask);
  uint32_t shared = 0, global = 0;
  forEachLane(mask, [&](uint32_t lane) {
    const uint32_t space = walk.lanes[lane].word(site.at);
    if (space == 1) shared |= 1U << lane;
    if (space == 2) global |= 1U << lane;
  });
  if (shared != 0) addShared(walk, step, shared);
  if (global != 0) addGlobal(walk, step, global);
}

/// What a request costs whose lanes are `mask`. `period`: distances that are its multiples change
/// nothing.
template <class Request>
WarpCounter::Cost WarpCounter::costOf(const Walk& walk, const Step& step, uint32_t mask,
                                      int64_t period, Request request) {
  const LogSite& site = log_.sites[step.instruction];
  const Base base = baseOf(walk, site, mask);
  const int64_t first = (base.first + site.offset) & (period - 1);
  // A generic access may be of either memory; a remainder takes 7 bits.
  const uint64_t space = period == kSector ? 0x80 : 0;
  const uint64_t key = uint64_t{step.instruction} << 40 | uint64_t{base.pattern} << 8 | space |
                       static_cast<uint64_t>(first);
  const auto [known, isNew] = costs_.try_emplace(key);
  if (!isNew) return known->second;
  std::array<int64_t, kLanes> addresses{};
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    addresses[lane] = patterns_[base.pattern].apart[lane] + first;
  return known->second = request(addresses.data());
}

void WarpCounter::addGlobal(Walk& walk, const Step& step, uint32_t mask) {
  const Cost cost = costOf(walk, step, mask, kSector, [&](const int64_t* addresses) {
    const simt::GlobalRequest request = simt::globalRequest(addresses, mask, step.width);
    return Cost{request.sectors, request.distinctBytes};
  });
  const auto lanes = static_cast<uint64_t>(std::popcount(mask));
  trace::GlobalCounts& counts = step.isStore ? walk.now().globalStore : walk.now().globalLoad;
  counts += {lanes, 1, cost.first, lanes * step.width, cost.second};
}

void WarpCounter::addShared(Walk& walk, const Step& step, uint32_t mask) {
  const Cost cost = costOf(walk, step, mask, kBankRow, [&](const int64_t* addresses) {
    const simt::SharedRequest request = simt::sharedRequest(addresses, mask, step.width);
    return Cost{request.wavefronts, request.bankConflicts};
  });
  trace::SharedCounts& counts = step.isStore ? walk.now().sharedStore : walk.now().sharedLoad;
  ++counts.requests;
  counts.wavefronts += cost.first;
  counts.bankConflicts += cost.second;
}

void WarpCounter::addArithmetic(trace::Counters& counters, uint32_t index, uint32_t mask) const {
  const auto lanes = static_cast<uint64_t>(std::popcount(mask));
  const auto operation = ptx::arithmeticOf(entry_.body[index]);
  if (operation == ptx::Arithmetic::ffma) counters.ffma += lanes;
  if (operation == ptx::Arithmetic::fadd) counters.fadd += lanes;
  if (operation == ptx::Arithmetic::fmul) counters.fmul += lanes;
}

// ---- The warp ----

/// The counts of all lanes that run a block, and its requests. False: the log lacks something.
bool WarpCounter::runBlock(Walk& walk, const Block& block, uint32_t mask) {
  const auto lanes = static_cast<uint64_t>(std::popcount(mask));
  walk.now().threadInstructions += block.instructions * lanes;
  walk.now().ffma += block.ffma * lanes;
  walk.now().fadd += block.fadd * lanes;
  walk.now().fmul += block.fmul * lanes;
  for (const Step& step : block.steps) {
    uint32_t found = 0;
    if (step.isDecision) {
      if (!walk.decide(step.instruction, mask, found)) return false;
      addArithmetic(walk.now(), step.instruction, found);
      continue;
    }
    const bool guarded = entry_.body[step.instruction].guard.reg != ptx::kNone;
    if (!walk.take(step.instruction, mask, guarded, found)) return false;
    if (found != 0) access(walk, step, found);
  }
  return true;
}

/// What the lanes of a block do at its last instruction.
WarpCounter::Ending WarpCounter::endBlock(Walk& walk, uint32_t index, uint32_t mask) {
  const ptx::Instruction& last = entry_.body[index];
  const bool ends = ptx::isBranch(last) || ptx::isExit(last) || ptx::isBarrier(last);
  const bool decides = ends && last.guard.reg != ptx::kNone;
  uint32_t holds = mask;
  if (decides && !walk.decide(index, mask, holds)) return Ending::lacking;
  if (ptx::isBranch(last)) {
    walk.paths.branch(entry_, shape_, index, holds);
  } else if (ptx::isExit(last)) {
    walk.paths.leave(holds, index + 1);
  } else {
    if (ptx::isBarrier(last) && holds != 0 && !passBarrier(walk, holds)) return Ending::parted;
    walk.paths.go(index + 1);
  }
  return decides ? Ending::decided : Ending::done;
}

/// False: not all lanes of the warp are there.
bool WarpCounter::passBarrier(Walk& walk, uint32_t lanes) {
  if (lanes != walk.paths.live()) {
    walk.paths.letReturn(entry_, shape_, [&](uint32_t gone, uint32_t instructions) {
      walk.now().threadInstructions +=
          uint64_t{instructions} * static_cast<uint64_t>(std::popcount(gone));
    });
  }
  if (lanes != walk.paths.live()) return false;
  ++walk.now().barriers;
  walk.counts.emplace_back();
  return true;
}

Result<WarpCounts> WarpCounter::count(const WarpLog& own) {
  const auto wrong = [&](const std::string& why) {
    return workError("The GPU's log of a warp of " + entry_.name +
                     " does not follow its program: " + why + ".");
  };
  const auto size = static_cast<uint32_t>(entry_.body.size());
  Walk walk(log_, own);
  uint64_t blocks = 0;  // Since the last decision.
  while (!walk.paths.finished()) {
    const uint32_t begin = walk.paths.at(), mask = walk.paths.mask();
    if (begin >= size) {
      walk.paths.leave(mask, size);
      continue;
    }
    // Every loop that ends decides in each iteration.
    if (++blocks > size + uint64_t{1}) return wrong("it goes round a loop without end");
    const Block& block = blockAt(begin);
    if (!runBlock(walk, block, mask)) return wrong("a record is missing");
    switch (endBlock(walk, block.end - 1, mask)) {
      case Ending::lacking:
        return wrong("a decision is missing");
      case Ending::parted:
        return wrong("not all threads of a warp reach a barrier together");
      case Ending::decided:
        blocks = 0;
        break;
      case Ending::done:
        break;
    }
  }
  const bool isWhole =
      std::ranges::none_of(walk.lanes, [](const LogReader& l) { return l.more(); });
  return isWhole ? Result<WarpCounts>(std::move(walk.counts)) : wrong("it goes on past the end");
}

}  // namespace tilestep::cuda
