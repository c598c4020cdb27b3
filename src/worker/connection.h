// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "worker/child.h"
#include "worker/frame.h"

namespace tilestep::worker {

/// One worker process and the thread that talks to it. The thread alone reads, writes and waits;
/// it calls `frame` for each frame's body and, once, `ended` with why there will be no more. Both
/// may be called until the destructor returns, which ends the process: it closes its standard
/// input, waits a moment, then terminates, then kills it.
class Connection {
 public:
  struct Events {
    std::function<Status(std::vector<std::byte> body)> frame;  ///< An Error ends the process.
    std::function<void(const Error& why)> ended;
  };
  static Result<std::unique_ptr<Connection>> open(const std::vector<std::string>& words,
                                                  Events events);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Queues a frame; returns at once. Any thread.
  void send(std::vector<std::byte> body);

 private:
  Connection(Child child, Pipe wake, Events events);
  void talk();
  Status exchange();
  Status readOutput();
  void readErrors();
  void writeInput();
  void takeOutbox();
  void wake();
  int endProcess(bool patient);

  Child child_;
  Pipe wake_;
  Events events_;
  FrameBuffer incoming_;
  std::string errorLine_, lastErrorLine_;
  bool outputEnded_ = false;
  std::deque<std::vector<std::byte>> writing_;  ///< The thread's own.
  size_t written_ = 0;                          ///< Of writing_.front().
  std::mutex mutex_;
  std::deque<std::vector<std::byte>> outbox_;  ///< Guarded by mutex_.
  std::atomic<bool> closing_{false};
  std::thread thread_;
};

}  // namespace tilestep::worker
