// SPDX-License-Identifier: Apache-2.0
#include "program/history/use_marks.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace tilestep::program {
namespace {

constexpr uint64_t kPage = uint64_t{1} << simt::kUsePageBits;
/// The most ranges of one kind that are kept, since reading more would take too long.
constexpr size_t kMostRanges = 1 << 16;

uint64_t pagesOf(uint64_t bytes) {
  return bytes / kPage + 1;
}

/// Uses calloc, so that untouched pages need no memory.
std::shared_ptr<uint8_t[]> zeros(uint64_t bytes) {
  return {static_cast<uint8_t*>(std::calloc(bytes + 1, 1)), std::free};
}

void add(Ranges& ranges, uint64_t begin, uint64_t end) {
  if (!ranges.empty() && ranges.back().end == begin)
    ranges.back().end = end;
  else
    ranges.push_back({begin, end});
}

/// Converts marks into ranges, and sets them to 0.
void takePage(uint8_t* marks, uint64_t count, uint64_t address, Ranges& plain, Ranges& ordered,
              bool& speaks) {
  for (uint64_t i = 0; i < count;) {
    const uint8_t use = marks[i];
    uint64_t end = i + 1;
    uint64_t eight = 0;
    std::memset(&eight, use, sizeof eight);
    while (end + sizeof eight <= count && std::memcmp(marks + end, &eight, sizeof eight) == 0)
      end += sizeof eight;
    while (end < count && marks[end] == use) ++end;
    speaks = speaks || use == simt::kSpeakingUse;
    if (use != 0) add(use == simt::kPlainUse ? plain : ordered, address + i, address + end);
    i = end;
  }
  std::memset(marks, 0, count);
}

}  // namespace

simt::ByteUse UseMarks::of(uint64_t bytes) {
  if (!pages_) {
    read_ = zeros(bytes);
    written_ = zeros(bytes);
    pages_ = zeros(pagesOf(bytes));
  }
  if (!read_ || !written_ || !pages_) return {};
  return {read_.get(), written_.get(), pages_.get()};
}

void UseMarks::take(uint64_t address, uint64_t bytes, bool isShared, Uses& to) {
  if (!read_ || !written_ || !pages_) return;
  bool speaks = false;
  for (uint64_t page = 0; page < pagesOf(bytes); ++page) {
    if (pages_.get()[page] == 0) continue;
    pages_.get()[page] = 0;
    const uint64_t at = page * kPage, count = std::min(kPage, bytes - at);
    takePage(read_.get() + at, count, address + at, to.plainReads, to.orderedReads, speaks);
    takePage(written_.get() + at, count, address + at, to.plainWrites, to.orderedWrites, speaks);
  }
  to.speaks = to.speaks || (isShared && speaks);
  for (const Ranges* each : {&to.plainReads, &to.plainWrites, &to.orderedReads, &to.orderedWrites})
    to.isKnown = to.isKnown && each->size() <= kMostRanges;
  if (!to.isKnown) to = {{}, {}, {}, {}, to.speaks, false};
}

}  // namespace tilestep::program
