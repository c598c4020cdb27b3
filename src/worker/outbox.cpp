// SPDX-License-Identifier: Apache-2.0
#include "worker/outbox.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "worker/frame.h"
#include "worker/messages.h"
#include "worker/watch.h"

namespace tilestep::worker {
namespace {

/// Pieces are small, so that a slow connection is not mistaken for a stuck one.
constexpr size_t kPiece = size_t{64} << 10;

}  // namespace

Outbox::Outbox(int descriptor, std::function<bool()> busy)
    : descriptor_(descriptor), busy_(std::move(busy)), thread_([this] { writeThrough(); }) {}

Outbox::~Outbox() {
  thread_.join();
}

void Outbox::put(std::vector<std::byte> body) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(body));
  }
  changed_.notify_all();
}

bool Outbox::isEmpty() {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && !writing_;
}

void Outbox::awaitRoom() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return (waiting_.empty() && !writing_) || ending_; });
}

bool Outbox::finish(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  ending_ = true;
  changed_.notify_all();
  uint64_t before = taken_;
  while (!changed_.wait_for(lock, patience, [this] { return ended_; })) {
    if (taken_ == before) return false;
    before = taken_;
  }
  return true;
}

void Outbox::writeThrough() {
  const std::vector<std::byte> beat = encode(Answer{0, Beat{}});
  std::unique_lock lock(mutex_);
  while (!waiting_.empty() || !ending_) {
    std::vector<std::byte> body;
    if (changed_.wait_for(lock, kBeat, [this] { return !waiting_.empty() || ending_; })) {
      if (waiting_.empty()) break;
      body = std::move(waiting_.front());
      waiting_.pop_front();
      writing_ = true;
    }
    lock.unlock();
    if (!body.empty()) {
      writeFrame(body);
    } else if (busy_()) {
      writeFrame(beat);
    }
    lock.lock();
    writing_ = false;
    changed_.notify_all();
  }
  ended_ = true;
  changed_.notify_all();
}

void Outbox::writeFrame(std::span<const std::byte> body) {
  writeAll(frameHeader(body.size()));
  writeAll(body);
  writeAll(std::span(&kFrameEnd, 1));
}

void Outbox::writeAll(std::span<const std::byte> bytes) {
  while (!bytes.empty() && !gone_) {
    const ssize_t count = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kPiece));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      gone_ = true;
      return;
    }
    taken_ += static_cast<uint64_t>(count);
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
}

}  // namespace tilestep::worker
