// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/counting/warp_counts.h"

#include <bit>
#include <utility>

#include "ptx/rewrite/instrument_copies.h"

namespace tilestep::cuda {
namespace {

constexpr uint64_t kSectorBytes = 32, kBankRowBytes = 128;
/// The most requests remembered per memory space, about 10 MB; at this limit all are discarded.
constexpr size_t kMostRemembered = size_t{1} << 15;

uint64_t countOf(uint32_t lanes) {
  return static_cast<uint64_t>(std::popcount(lanes));
}

/// Adds an f32 operation of `lanes` lanes; ignores other instructions.
template <class Counts>
void addArithmetic(Counts& counts, const ptx::Instruction& instruction, uint64_t lanes) {
  const auto operation = ptx::arithmeticOf(instruction);
  if (operation == ptx::Arithmetic::ffma) counts.ffma += lanes;
  if (operation == ptx::Arithmetic::fadd) counts.fadd += lanes;
  if (operation == ptx::Arithmetic::fmul) counts.fmul += lanes;
}

/// The counts of a request, from `known` if they were computed before.
template <class Counted, class Request, class WorkOut>
const auto& remembered(Counted& known, const Request& request, uint32_t width, WorkOut workOut) {
  if (known.size() >= kMostRemembered) known.clear();
  const auto [entry, isNew] = known.try_emplace(request);
  if (isNew) entry->second = workOut(request.addresses.data(), request.lanes, width);
  return entry->second;
}

}  // namespace

WarpCounter::WarpCounter(const ptx::Function& entry, const ptx::TraceLog& log)
    : program_(entry, log), unlogged_(entry.body.size()) {
  for (const ptx::Instruction& i : entry.body) accesses_.push_back(ptx::accessOf(i));
  for (auto index = static_cast<uint32_t>(entry.body.size()); index-- > 0;) {
    const bool isLast = program_.shape.blockEnd[index] == index + 1;
    Unlogged& rest = unlogged_[index];
    if (!isLast) rest = unlogged_[index + 1];
    if (!ptx::isAdded(entry.body[index])) ++rest.instructions;
    if (log.sites[index].kind == ptx::LogSite::Kind::none) {
      addArithmetic(rest, entry.body[index], 1);
    }
  }
}

Result<WarpCounts> WarpCounter::count(const WarpLog& log) {
  std::vector<LogReader> lanes;
  for (uint32_t lane = 0; lane < log.lanes; ++lane) {
    lanes.emplace_back(log.words.data(), lane, log.wanted[lane], log.room);
  }
  LogWalk walk(program_, std::move(lanes));
  walk_ = &walk;
  counts_.assign(1, {});
  while (!walk.finished()) {
    if (!walk.walkBlock(*this)) return program_.contradiction("a warp", walk.wrong());
  }
  if (walk.hasMore()) return program_.contradiction("a warp", "it continues after the warp's end");
  return std::move(counts_);
}

void WarpCounter::onBlock(uint32_t begin, uint32_t lanes) {
  const Unlogged& each = unlogged_[begin];
  trace::Counters& counts = counts_.back();
  counts.threadInstructions += each.instructions * countOf(lanes);
  counts.ffma += each.ffma * countOf(lanes);
  counts.fadd += each.fadd * countOf(lanes);
  counts.fmul += each.fmul * countOf(lanes);
}

void WarpCounter::onBranch(uint32_t index, bool part) {
  const uint32_t line = program_.entry.body[index].ptxLine;
  branches_.reached.insert(line);
  if (part) branches_.parted.insert(line);
}

void WarpCounter::onSite(uint32_t index, uint32_t lanes) {
  if (accesses_[index]) {
    addAccess(index, lanes);
  } else {
    addArithmetic(counts_.back(), program_.entry.body[index], countOf(lanes));
  }
}

void WarpCounter::onBarrier(uint32_t /*index*/, uint32_t /*lanes*/) {
  ++counts_.back().barriers;
  counts_.emplace_back();
}

void WarpCounter::onReturn(uint32_t lanes, uint32_t instructions) {
  counts_.back().threadInstructions += instructions * countOf(lanes);
}

/// Each lane of a generic access logs the memory space that it accesses.
void WarpCounter::addAccess(uint32_t index, uint32_t lanes) {
  const ptx::LogSite& site = program_.log.sites[index];
  if (site.space == ptx::Space::global) return addGlobal(index, lanes);
  if (site.space == ptx::Space::shared) return addShared(index, lanes);
  uint32_t shared = 0, global = 0;
  forEachLane(lanes, [&](uint32_t lane) {
    const uint32_t space = walk_->lane(lane).word(site.at);
    if (space == 1) shared |= 1U << lane;
    if (space == 2) global |= 1U << lane;
  });
  if (shared != 0) addShared(index, shared);
  if (global != 0) addGlobal(index, global);
}

void WarpCounter::addGlobal(uint32_t index, uint32_t lanes) {
  const ptx::Access& access = *accesses_[index];
  const simt::GlobalRequest request =
      remembered(global_, requestOf(index, lanes, kSectorBytes), access.width, simt::globalRequest);
  trace::Counters& counts = counts_.back();
  (access.isStore ? counts.globalStore : counts.globalLoad) +=
      {countOf(lanes), 1, request.sectors, countOf(lanes) * access.width, request.distinctBytes};
}

void WarpCounter::addShared(uint32_t index, uint32_t lanes) {
  const ptx::Access& access = *accesses_[index];
  const simt::SharedRequest request = remembered(shared_, requestOf(index, lanes, kBankRowBytes),
                                                 access.width, simt::sharedRequest);
  trace::Counters& counts = counts_.back();
  trace::SharedCounts& sum = access.isStore ? counts.sharedStore : counts.sharedLoad;
  ++sum.requests;
  sum.wavefronts += request.wavefronts;
  sum.bankConflicts += request.bankConflicts;
}

/// Subtracts a multiple of `period`, a power of two, so that the lowest lane's address is less than
/// `period`.
WarpCounter::Request WarpCounter::requestOf(uint32_t index, uint32_t lanes, uint64_t period) const {
  const ptx::LogSite& site = program_.log.sites[index];
  const LogWalk& walk = *walk_;
  const auto offset = static_cast<uint64_t>(site.offset);
  const uint64_t first =
      walk.lane(static_cast<uint32_t>(std::countr_zero(lanes))).base(site) + offset;
  const uint64_t added = offset - (first & ~(period - 1));
  Request request{.index = index, .lanes = lanes};
  forEachLane(lanes, [&](uint32_t lane) {
    request.addresses[lane] = static_cast<int64_t>(walk.lane(lane).base(site) + added);
  });
  return request;
}

size_t WarpCounter::RequestHash::operator()(const Request& request) const {
  // Each lane has its own factor, so the products can be computed in parallel.
  uint64_t factor = 0x9e3779b97f4a7c15;
  uint64_t hash = (uint64_t{request.index} << 32 | request.lanes) * factor;
  for (const int64_t address : request.addresses) {
    factor += 0x5851f42d4c957f2e;
    hash += static_cast<uint64_t>(address) * factor;
  }
  return hash;
}

}  // namespace tilestep::cuda
