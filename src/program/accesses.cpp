// SPDX-License-Identifier: Apache-2.0
#include "program/accesses.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace tilestep::program {
namespace {

/// The first byte that both have.
std::optional<uint64_t> meet(const std::vector<ByteRange>& a, const std::vector<ByteRange>& b) {
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const uint64_t begin = std::max(a[i].begin, b[j].begin);
    if (begin < std::min(a[i].end, b[j].end)) return begin;
    (a[i].end <= b[j].end ? i : j) += 1;
  }
  return std::nullopt;
}

}  // namespace

size_t WorkLog::add(Work work, const Order& order) {
  while (firstOpen_ < all_.size() && order.isOver(all_[firstOpen_].ticket)) ++firstOpen_;
  work.firstOpen = firstOpen_;
  all_.push_back(std::move(work));
  return all_.size() - 1;
}

std::vector<Unordered> WorkLog::unordered() const {
  std::vector<Unordered> found;
  std::set<std::pair<uint64_t, uint64_t>> calls;
  for (size_t second = 0; second < all_.size(); ++second) {
    const Work& later = all_[second];
    for (size_t first = later.firstOpen; first < second; ++first) {
      const Work& earlier = all_[first];
      if (isBefore(earlier.ticket, later.ticket)) continue;
      const auto both = meet(earlier.writes, later.writes),
                 read = meet(earlier.writes, later.reads),
                 written = meet(earlier.reads, later.writes);
      const auto place = both ? both : read ? read : written;
      if (!place || !calls.insert({earlier.where, later.where}).second) continue;
      found.push_back({first, second, *place, both || read, both || (!read && written)});
    }
  }
  return found;
}

}  // namespace tilestep::program
