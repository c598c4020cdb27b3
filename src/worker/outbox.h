// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace tilestep::worker {

/// Writes frames in the order of the calls, on its own thread, so that no other thread waits for a
/// client that does not read. If nothing was written for kBeat while `busy` is true, writes a beat.
/// Frames for a disconnected client are dropped silently. Thread-safe.
class Outbox {
 public:
  Outbox(int descriptor, std::function<bool()> busy);
  ~Outbox();  ///< Call finish() first.
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  void put(std::vector<std::byte> body);
  /// Whether everything put so far is written.
  [[nodiscard]] bool isEmpty();
  /// Blocks until everything put so far is written.
  void awaitRoom();
  /// Writes the remaining frames and ends the thread. False if the client read nothing for
  /// `patience`; the thread is then still blocked.
  bool finish(std::chrono::milliseconds patience);

 private:
  void writeThrough();
  void writeFrame(std::span<const std::byte> body);
  void writeAll(std::span<const std::byte> bytes);

  const int descriptor_;
  const std::function<bool()> busy_;
  std::mutex mutex_;  ///< Guards the members below.
  std::condition_variable changed_;
  std::deque<std::vector<std::byte>> waiting_;
  bool writing_ = false, ending_ = false, ended_ = false;
  bool gone_ = false;               ///< The client has disconnected. Used by the thread only.
  std::atomic<uint64_t> taken_{0};  ///< Bytes that the client has read.
  std::thread thread_;
};

}  // namespace tilestep::worker
