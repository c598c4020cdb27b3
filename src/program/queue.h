// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace tilestep::program {

/// Executes the device's work on a separate thread, while the host continues. The work runs in the
/// order of the host's requests, which all rules of streams and events allow.
class Queue {
 public:
  Queue();
  /// Skips work that has not begun, and waits for work that has.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Returns the work's number, from 1.
  uint64_t add(std::function<void()> work);
  /// Waits until the work with that number has ended. Returns at once for 0.
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
