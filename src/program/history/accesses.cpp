// SPDX-License-Identifier: Apache-2.0
#include "program/history/accesses.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace tilestep::program {
namespace {

/// The first byte in both.
std::optional<uint64_t> meet(const Ranges& a, const Ranges& b) {
  const Ranges both = common(a, b);
  return both.empty() ? std::nullopt : std::optional(both.front().begin);
}

/// Accesses of two pieces of work that need an order. Two reads need none, nor do two accesses that
/// are both ordered.
std::optional<Unordered> conflict(const Work& first, const Work& second) {
  const Uses &a = first.uses, &b = second.uses;
  // The launch's ordered accesses may tell the host that other bytes are ready.
  if (second.kind == WorkKind::host && first.kind == WorkKind::launch && a.speaks) return {};
  if (const auto both = meet(a.plainWrites, b.writes())) return Unordered{0, 0, *both, true, true};
  if (const auto both = meet(a.orderedWrites, b.plainWrites))
    return Unordered{0, 0, *both, true, true};
  if (const auto read = meet(a.plainWrites, b.reads())) return Unordered{0, 0, *read, true, false};
  if (const auto read = meet(a.orderedWrites, b.plainReads))
    return Unordered{0, 0, *read, true, false};
  if (const auto written = meet(a.plainReads, b.writes()))
    return Unordered{0, 0, *written, false, true};
  if (const auto written = meet(a.orderedReads, b.plainWrites))
    return Unordered{0, 0, *written, false, true};
  return {};
}

}  // namespace

size_t WorkLog::add(Work work, const Order& order) {
  while (firstOpen_ < all_.size() && order.isOver(all_[firstOpen_].ticket)) ++firstOpen_;
  work.firstOpen = firstOpen_;
  all_.push_back(std::move(work));
  return all_.size() - 1;
}

void WorkLog::setUses(size_t number, Uses uses) {
  constexpr size_t kMostRanges = size_t{1} << 22;
  const size_t count = uses.plainReads.size() + uses.plainWrites.size() + uses.orderedReads.size() +
                       uses.orderedWrites.size();
  ranges_ += count;
  if (ranges_ > kMostRanges) uses = {{}, {}, {}, {}, uses.speaks, count == 0 && uses.isKnown};
  all_[number].uses = std::move(uses);
}

std::vector<Unordered> unorderedIn(const std::vector<Work>& works) {
  std::vector<Unordered> found;
  std::set<std::pair<uint64_t, uint64_t>> calls;
  for (size_t second = 0; second < works.size(); ++second) {
    const Work& later = works[second];
    // If thousands of pieces of work are unfinished, only the latest of them are examined.
    constexpr size_t kMostOpen = 1024;
    const size_t latest = second > kMostOpen ? second - kMostOpen : 0;
    for (size_t first = std::max(later.firstOpen, latest); first < second; ++first) {
      const Work& earlier = works[first];
      if (earlier.ticket.stream == later.ticket.stream) continue;
      if (isBefore(earlier.ticket, later.ticket)) continue;
      std::optional<Unordered> pair = conflict(earlier, later);
      if (!pair || !calls.insert({earlier.where, later.where}).second) continue;
      pair->first = first;
      pair->second = second;
      found.push_back(*pair);
    }
  }
  return found;
}

}  // namespace tilestep::program
