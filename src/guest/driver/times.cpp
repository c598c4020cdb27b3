// SPDX-License-Identifier: Apache-2.0
#include "guest/driver/times.h"

#include <algorithm>

namespace tilestep::guest {

Times::Times(const Driver& driver, Link& link, bool wanted)
    : driver_(driver), link_(link), wanted_(wanted) {}

void* Times::event() {
  void* made = nullptr;
  if (!unused_.empty()) {
    made = unused_.back();
    unused_.pop_back();
  } else if (driver_.eventCreate(&made, 0) != 0) {
    return nullptr;
  }
  return made;
}

uint64_t Times::begin(void* stream) {
  if (!wanted_) return 0;
  constexpr size_t kMany = 256;
  if (pieces_.size() >= kMany) collect();
  const std::lock_guard lock(mutex_);
  void* const start = event();
  void* const stop = event();
  if (start == nullptr || stop == nullptr || driver_.eventRecord(start, stream) != 0) return 0;
  pieces_.push_back({++last_, start, stop, false});
  return last_;
}

void Times::end(uint64_t work, void* stream) {
  if (work == 0) return;
  const std::lock_guard lock(mutex_);
  const auto piece = std::ranges::find(pieces_, work, &Piece::work);
  piece->isWhole = driver_.eventRecord(piece->stop, stream) == 0;
}

void Times::collect() {
  const std::lock_guard lock(mutex_);
  std::erase_if(pieces_, [&](const Piece& piece) {
    if (!piece.isWhole || driver_.eventQuery(piece.stop) != 0) return false;
    Took took{piece.work, 0};
    const iovec whole{&took, sizeof took};
    if (driver_.eventElapsedTime(&took.milliseconds, piece.start, piece.stop) == 0)
      link_.say(Call::took, nullptr, {&whole, 1});
    unused_.push_back(piece.start);
    unused_.push_back(piece.stop);
    return true;
  });
}

}  // namespace tilestep::guest
