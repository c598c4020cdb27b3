// SPDX-License-Identifier: Apache-2.0
#include "program/history/ranges.h"

#include <algorithm>
#include <iterator>

namespace tilestep::program {

uint64_t bytesIn(const Ranges& ranges) {
  uint64_t bytes = 0;
  for (const ByteRange& each : ranges) bytes += each.end - each.begin;
  return bytes;
}

Ranges unite(const Ranges& a, const Ranges& b) {
  Ranges sorted, united;
  std::ranges::merge(a, b, std::back_inserter(sorted), {}, &ByteRange::begin, &ByteRange::begin);
  for (const ByteRange& each : sorted) {
    if (!united.empty() && each.begin <= united.back().end)
      united.back().end = std::max(united.back().end, each.end);
    else
      united.push_back(each);
  }
  return united;
}

Ranges common(const Ranges& a, const Ranges& b) {
  Ranges both;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const uint64_t begin = std::max(a[i].begin, b[j].begin), end = std::min(a[i].end, b[j].end);
    if (begin < end) both.push_back({begin, end});
    (a[i].end <= b[j].end ? i : j) += 1;
  }
  return both;
}

Ranges without(const Ranges& a, const Ranges& b) {
  Ranges left;
  size_t j = 0;
  for (ByteRange each : a) {
    while (j < b.size() && b[j].end <= each.begin) ++j;
    for (size_t k = j; k < b.size() && b[k].begin < each.end; ++k) {
      if (b[k].begin > each.begin) left.push_back({each.begin, b[k].begin});
      each.begin = std::max(each.begin, b[k].end);
    }
    if (each.begin < each.end) left.push_back(each);
  }
  return left;
}

}  // namespace tilestep::program
