// SPDX-License-Identifier: Apache-2.0
#include "simt/check/overwritten.h"

#include <functional>

namespace tilestep::simt {
namespace {

/// What is kept is bounded: so many places, and so many marks of one.
constexpr size_t kMostPlaces = size_t{1} << 16, kMostMarks = size_t{1} << 12;

}  // namespace

size_t Overwritten::Hash::operator()(const Place& place) const {
  return std::hash<const void*>()(place.region) ^
         std::hash<uint64_t>()(place.granule * 0x9e3779b97f4a7c15);
}

void Overwritten::add(const Region* region, uint64_t granule, OverwrittenMark mark) {
  const Place place{region, granule};
  if (marks_.size() >= kMostPlaces && !marks_.contains(place)) return;
  Marks& marks = marks_[place];
  if (marks.size() == kMostMarks) marks.erase(marks.begin(), marks.begin() + kMostMarks / 2);
  marks.push_back(mark);
}

const Overwritten::Marks* Overwritten::at(const Region* region, uint64_t granule) const {
  const auto at = marks_.find({region, granule});
  return at == marks_.end() ? nullptr : &at->second;
}

}  // namespace tilestep::simt
