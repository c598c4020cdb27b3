// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tilestep::program {

/// The device's work in the order in which the host asked for it, on a thread of its own: an order
/// that every rule of streams and events allows. The host goes on meanwhile.
class Queue {
 public:
  Queue();
  /// Leaves out what has not begun, and waits for what has.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Returns the work's number, from 1.
  uint64_t add(std::function<void()> work);
  /// Until the work of that number is done; 0: at once.
  void wait(uint64_t number);
  void waitForAll();
  [[nodiscard]] bool isIdle() const;
  [[nodiscard]] bool isDone(uint64_t number) const;

 private:
  void run();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  uint64_t added_ = 0, done_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace tilestep::program
