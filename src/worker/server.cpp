// SPDX-License-Identifier: Apache-2.0
#include "worker/server.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "base/descriptor.h"
#include "worker/frame.h"
#include "worker/live_queue.h"
#include "worker/messages.h"
#include "worker/outbox.h"

namespace tilestep::worker {
namespace {

using Clock = std::chrono::steady_clock;

/// The time for work to notice that it was cancelled, and the time for a client to read the
/// remaining answers.
constexpr std::chrono::seconds kWorkEnds{3}, kClientReads{30};
/// The minimum time between two progress fractions of a stage, which a person can still see.
constexpr std::chrono::milliseconds kFractions{100};
/// The most samples that are queued for a client.
constexpr size_t kMostSamplesKept = 16'384;

Error cancelledError() {
  return workError("the request was cancelled");
}

class Server {
 public:
  Server(int in, int out, Work& work)
      : in_(in), work_(work), outbox_(out, [this] { return busy(); }) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    spentIn_ = Descriptor(ends[0]);
    spentOut_ = Descriptor(ends[1]);
  }

  int serve() {
    std::thread worker([this] { workThrough(); });
    const bool clean = readAll();
    std::unique_lock lock(mutex_);
    ending_ = true;
    cancelCurrent_ = true;
    waiting_.clear();
    arrived_.notify_all();
    const bool ended = arrived_.wait_for(lock, kWorkEnds, [this] { return workEnded_; });
    lock.unlock();
    // Exits even if work is stuck in a driver, or if a client does not read.
    if (!outbox_.finish(kClientReads) || !ended) std::_Exit(1);
    worker.join();
    return clean ? 0 : 1;
  }

 private:
  bool readAll();
  bool spentBeforeInput();
  void readFrames();
  void take(Request request);
  void cancel(uint64_t id);
  bool busy();
  bool workOne();
  void workThrough();
  Answer answerTo(const Request& request);
  Answer answerGuarded(const Request& request);
  Work::Progress progressOf(uint64_t id);
  std::function<void(device::LiveBatch&&)> samplesOf(uint64_t id);
  void say(const Answer& answer);

  const int in_;
  Work& work_;
  FrameBuffer incoming_{kMaxRequestBytes};
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Request> waiting_;  ///< Guarded by mutex_, like the next three members.
  uint64_t current_ = 0;
  bool ending_ = false, workEnded_ = false;
  std::atomic<bool> cancelCurrent_{false};
  Descriptor spentIn_, spentOut_;  ///< A pipe. Its write end is closed when the work is spent.
  Outbox outbox_;                  ///< The last member, because its thread calls `busy`.
};

bool Server::busy() {
  const std::lock_guard lock(mutex_);
  return current_ != 0 || !waiting_.empty();
}

/// Waits for input. True if the work is spent before input arrives.
bool Server::spentBeforeInput() {
  std::array<pollfd, 2> waits{{{in_, POLLIN, 0}, {spentIn_.get(), POLLIN, 0}}};
  while (::poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
  }
  return waits[1].revents != 0;
}

/// False if the stream is broken: it sent something other than a frame, or ended within a frame.
bool Server::readAll() {
  std::array<std::byte, size_t{64} << 10> piece;
  while (true) {
    if (spentBeforeInput()) return true;
    const ssize_t count = ::read(in_, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 && incoming_.betweenFrames();
    Status status;
    try {
      status = incoming_.feed(std::span(piece).first(static_cast<size_t>(count)));
      readFrames();
    } catch (const std::bad_alloc&) {
      status = workError("the worker does not have enough memory to accept a request");
    }
    if (!status) {
      say({0, status.error()});
      return false;
    }
  }
}

void Server::readFrames() {
  while (const auto body = incoming_.next()) {
    auto request = decodeRequest(*body);
    if (request) {
      take(std::move(*request));
    } else {
      say({idOf(*body), request.error()});
    }
  }
}

void Server::take(Request request) {
  if (std::holds_alternative<Hello>(request.body)) {
    say({request.id, Hello{kProtocolVersion}});
  } else if (std::holds_alternative<CancelRequest>(request.body)) {
    cancel(request.id);
  } else {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(request));
    }
    arrived_.notify_one();
  }
}

/// A waiting request is answered at once, the current request when it notices. An unknown id was
/// already answered.
void Server::cancel(uint64_t id) {
  {
    const std::lock_guard lock(mutex_);
    if (current_ == id) cancelCurrent_ = true;
    const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                                 [id](const Request& request) { return request.id == id; });
    if (at == waiting_.end()) return;
    waiting_.erase(at);
  }
  say({id, cancelledError()});
}

/// False if there will be no more requests.
bool Server::workOne() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
  if (ending_) return false;
  const Request request = std::move(waiting_.front());
  waiting_.pop_front();
  current_ = request.id;
  cancelCurrent_ = false;
  lock.unlock();
  say({request.id, Begun{}});
  outbox_.awaitRoom();  // Begun must be sent before the request can end this process.
  say(answerGuarded(request));
  lock.lock();
  current_ = 0;
  lock.unlock();
  // Keeps one answer at a time, because unread results must not fill the memory.
  outbox_.awaitRoom();
  return !work_.spent();
}

void Server::workThrough() {
  while (workOne()) {
  }
  const std::lock_guard lock(mutex_);
  workEnded_ = true;
  spentOut_.close();
  arrived_.notify_all();
}

/// An exception of a library must not end the worker.
Answer Server::answerGuarded(const Request& request) {
  try {
    return answerTo(request);
  } catch (const std::bad_alloc&) {
    return {request.id, workError("the worker does not have enough memory for this request")};
  } catch (const std::exception& failure) {
    return {request.id, workError(std::string("the worker failed: ") + failure.what())};
  }
}

Answer Server::answerTo(const Request& request) {
  const auto answer = [&request](auto result) -> Answer {
    if (!result) return {request.id, result.error()};
    return {request.id, std::move(*result)};
  };
  if (const auto* run = std::get_if<RunRequest>(&request.body)) {
    auto result = work_.run(
        run->experiment, [this] { return cancelCurrent_.load(); }, progressOf(request.id));
    if (!result) return {request.id, result.error()};
    return {request.id, lab::shared(std::move(*result))};
  }
  if (const auto* ceilings = std::get_if<CeilingsRequest>(&request.body)) {
    return answer(work_.ceilings(ceilings->device));
  }
  if (const auto* ptx = std::get_if<PtxRequest>(&request.body)) {
    return answer(work_.ptx(ptx->experiment, ptx->instrumented));
  }
  if (const auto* live = std::get_if<LiveRequest>(&request.body)) {
    const Status ended = work_.live(
        live->experiment, samplesOf(request.id), [this] { return cancelCurrent_.load(); },
        progressOf(request.id));
    return {request.id, ended ? cancelledError() : ended.error()};
  }
  return answer(work_.devices());
}

/// If the client reads slowly, the oldest samples are dropped, so that memory stays bounded.
std::function<void(device::LiveBatch&&)> Server::samplesOf(uint64_t id) {
  return [this, id, queue = LiveQueue(kMostSamplesKept)](device::LiveBatch&& batch) mutable {
    queue.add(std::move(batch));
    while (outbox_.isEmpty()) {
      std::optional<device::LiveBatch> next = queue.next();
      if (!next) return;
      say({id, std::move(*next)});
    }
  };
}

Work::Progress Server::progressOf(uint64_t id) {
  return
      [this, id, last = std::string(), at = Clock::time_point()](const lab::Stage& stage) mutable {
        const auto now = Clock::now();
        if (stage.text == last && now - at < kFractions) return;
        last = stage.text;
        at = now;
        say({id, Stage{stage.text, stage.fraction}});
      };
}

void Server::say(const Answer& answer) {
  std::vector<std::byte> body;
  try {
    body = encode(answer);
  } catch (const std::bad_alloc&) {
    body = encode(
        Answer{answer.id, workError("the worker does not have enough memory for the answer")});
  }
  if (body.size() > kMaxFrameBytes) {
    body = encode(Answer{answer.id, workError("the result has " + std::to_string(body.size()) +
                                              " bytes, more than a message may have; ask for a "
                                              "smaller trace or picture")});
  }
  outbox_.put(std::move(body));
}

}  // namespace

int serveWork(int in, int out, Work& work) {
  return Server(in, out, work).serve();
}

}  // namespace tilestep::worker
