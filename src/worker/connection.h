// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/process/child_process.h"
#include "base/result.h"
#include "worker/frame.h"
#include "worker/last_words.h"
#include "worker/marked_lines.h"
#include "worker/prelude.h"
#include "worker/terminal.h"

namespace tilestep::worker {

/// One worker process and the thread that talks to it. Only that thread reads, writes, waits and
/// calls the events. The destructor ends the process: it closes the process's standard input, waits
/// a moment, sends SIGTERM, and finally kills the process with all its child processes. No event is
/// called after that.
class Connection {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct Events {
    std::function<void()> heard;                               ///< Bytes arrived.
    std::function<Status(std::vector<std::byte> body)> frame;  ///< An Error ends the process.
    /// When to call `overdue` next. If absent, only after something was sent or received.
    std::function<std::optional<Time>()> due;
    std::function<std::optional<Error>()> overdue;  ///< Called at `due`. An Error ends the process.
    /// The last event, called once with the reason for the end. `greeted` tells whether a frame had
    /// arrived. If not, `why` is an Error of kind request, which reports that the command is no
    /// worker.
    std::function<void(const Error& why, bool greeted)> ended;
  };
  /// If `lendTerminal`, the command may ask for a password on our terminal until its first frame.
  static Result<std::unique_ptr<Connection>> open(const std::vector<std::string>& words,
                                                  ChildOptions options, bool lendTerminal,
                                                  Events events);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Queues a frame; returns at once. Any thread.
  void send(std::vector<std::byte> body);
  /// Calls `due` again. Any thread.
  void wake();

 private:
  Connection(std::string command, ChildProcess child, Pipe wake, bool lendTerminal, Events events);
  void talk();
  Status exchange();
  [[nodiscard]] int patience() const;
  Status readOutput();
  Status takeFrames(std::span<const std::byte> bytes);
  void readErrors();
  void passOn(std::string_view text);
  void writeInput();
  void takeOutbox();
  int endProcess(bool patient);
  [[nodiscard]] Error whyEnded(int waitStatus) const;

  const std::string command_;
  ChildProcess child_;
  Pipe wake_;
  Events events_;
  TerminalLoan terminal_;
  Prelude prelude_;
  FrameBuffer incoming_;
  LastWords lastWords_;
  MarkedLines passedLines_{"worker: "};
  bool outputEnded_ = false, greeted_ = false;
  std::deque<std::vector<std::byte>> writing_;  ///< Used by the thread only.
  size_t passedOn_ = 0;  ///< Bytes of the worker's standard error passed on so far.
  size_t written_ = 0;   ///< Bytes of writing_.front() written so far.
  std::mutex mutex_;
  std::deque<std::vector<std::byte>> outbox_;  ///< Guarded by mutex_.
  std::atomic<bool> closing_{false};
  std::thread thread_;
};

}  // namespace tilestep::worker
