// SPDX-License-Identifier: Apache-2.0
// Suspends blocks that wait for others or are interleaved with them, so that the others can run.
#include <bit>
#include <cstring>

#include "base/hash.h"
#include "simt/run/worker.h"

namespace tilestep::simt {

/// A hash of a warp's registers and its lanes' positions. Which path runs next does not matter.
uint64_t Worker::stateOf(const Warp& warp) const {
  uint64_t state = splitmix64(warp.live);
  for (uint32_t i = 0; i < warp.paths.count; ++i) {
    const Path& path = warp.paths.paths[i];
    state += splitmix64(uint64_t{path.block} << 32 | path.mask);
  }
  for (size_t at = 0; at + 8 <= setup_.program.registerBytes; at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, warp.registers + at, sizeof word);
    state = (std::rotl(state, 5) ^ word) * 0x9e3779b97f4a7c15;
  }
  return state;
}

bool Worker::onlyWaits() {
  Waiting& waiting = now_->waiting;
  if (++waiting.rounds < Waiting::kPatience) return false;
  if (waiting.rounds >= Waiting::kMost) {
    waiting.moved = true;
    return true;
  }
  waiting.seen.resize(warps_);
  waiting.repeats.resize(warps_);
  bool all = true;
  for (uint32_t i = 0; i < warps_; ++i) {
    if (now_->state[i] != State::ready) continue;
    const uint64_t state = stateOf(now_->warp[i]);
    if (state == waiting.seen[i]) {
      waiting.repeats[i] = 1;
    } else if (std::has_single_bit(waiting.rounds)) {
      waiting.seen[i] = state;
      waiting.repeats[i] = 0;
      waiting.moved = true;
    }
    all = all && waiting.repeats[i] != 0;
  }
  return all;
}

void Worker::putAside() {
  aside_.push_back(std::move(now_));
  if (spare_.empty()) return enter(furnish());
  enter(std::move(spare_.back()));
  spare_.pop_back();
}

bool Worker::takeTurns() {
  bool moved = false;
  for (size_t left = aside_.size(); left > 0 && !stopRequested(setup_); --left) {
    spare_.push_back(std::move(now_));
    enter(std::move(aside_.front()));
    aside_.pop_front();
    Waiting& waiting = now_->waiting;
    waiting.moved = false;
    waiting.rounds = Waiting::kPatience;
    waiting.repeats.assign(warps_, 0);
    executedInTurn_ = 0;
    const Turn turn = goOn();
    // Instructions of a turn in which the block only waited do not count, because the number of
    // such turns depends on the host's scheduling.
    if (turn == Turn::waits && !now_->waiting.moved) setup_.executed.fetch_sub(executedInTurn_);
    moved = moved || turn == Turn::ended || now_->waiting.moved;
    if (turn != Turn::ended) {
      putAside();
      continue;
    }
    setup_.resident.fetch_sub(1);
    dropSpare();
  }
  return moved;
}

std::optional<Fault> Worker::placeOfWaiting() {
  if (aside_.empty()) return std::nullopt;
  std::swap(now_, aside_.front());
  const std::optional<Fault> before = std::exchange(interrupted_, std::nullopt);
  noteInterrupted();
  std::swap(now_, aside_.front());
  return std::exchange(interrupted_, before);
}

/// Keeps one spare block's memory at most, because the limit on suspended blocks is for all
/// workers.
void Worker::dropSpare() {
  if (spare_.size() <= 1) return;
  if (spare_.back()->checker) dropped_.merge(spare_.back()->checker->hazards());
  spare_.pop_back();
}

void Worker::addHazards(HazardTable& to) const {
  const auto add = [&](const std::unique_ptr<Resident>& room) {
    if (room && room->checker) to.merge(room->checker->hazards());
  };
  to.merge(dropped_);
  add(now_);
  for (const auto& room : aside_) add(room);
  for (const auto& room : spare_) add(room);
}

}  // namespace tilestep::simt
