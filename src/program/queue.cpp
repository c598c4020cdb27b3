// SPDX-License-Identifier: Apache-2.0
#include "program/queue.h"

#include <utility>

namespace tilestep::program {

Queue::Queue() : thread_([this] { run(); }) {}

Queue::~Queue() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

uint64_t Queue::add(std::function<void()> work) {
  uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
    number = ++added_;
  }
  changed_.notify_all();
  return number;
}

void Queue::wait(uint64_t number) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_ >= number; });
}

void Queue::waitForAll() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_ == added_; });
}

bool Queue::isIdle() const {
  const std::lock_guard lock(mutex_);
  return done_ == added_;
}

bool Queue::isDone(uint64_t number) const {
  const std::lock_guard lock(mutex_);
  return done_ >= number;
}

void Queue::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (ends_) return;
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    lock.lock();
    ++done_;
    changed_.notify_all();
  }
}

}  // namespace tilestep::program
