// SPDX-License-Identifier: Apache-2.0
#include "worker/server.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "worker/descriptor.h"
#include "worker/frame.h"
#include "worker/messages.h"

namespace tilestep::worker {
namespace {

Error cancelledError() {
  return workError("the request was cancelled");
}

class Server {
 public:
  Server(int in, int out, Work& work) : in_(in), out_(out), work_(work) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    spentIn_ = Descriptor(ends[0]);
    spentOut_ = Descriptor(ends[1]);
  }

  int serve() {
    std::thread worker([this] { workThrough(); });
    const bool clean = readAll();
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
      cancelCurrent_ = true;
      waiting_.clear();
    }
    arrived_.notify_all();
    worker.join();
    return clean ? 0 : 1;
  }

 private:
  bool readAll();
  bool spentBeforeInput();
  void readFrames();
  void take(Request request);
  void cancel(uint64_t id);
  void workThrough();
  Answer answerTo(const Request& request);
  Answer answerGuarded(const Request& request);
  void say(const Answer& answer);

  const int in_, out_;
  Work& work_;
  FrameBuffer incoming_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Request> waiting_;  ///< Guarded by mutex_, as the next two.
  uint64_t current_ = 0;
  bool ending_ = false;
  std::atomic<bool> cancelCurrent_{false};
  std::mutex writing_;
  Descriptor spentIn_, spentOut_;  ///< A pipe: closed at its far end when the work is spent.
};

/// Waits for input; true when the work is spent first.
bool Server::spentBeforeInput() {
  std::array<pollfd, 2> waits{{{in_, POLLIN, 0}, {spentIn_.get(), POLLIN, 0}}};
  while (::poll(waits.data(), waits.size(), -1) < 0 && errno == EINTR) {
  }
  return waits[1].revents != 0;
}

/// False when the stream broke: what came is no frame, or it ended within one.
bool Server::readAll() {
  std::array<std::byte, size_t{64} << 10> piece;
  while (true) {
    if (spentBeforeInput()) return true;
    const ssize_t count = ::read(in_, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 && incoming_.betweenFrames();
    const Status status = incoming_.feed(std::span(piece).first(static_cast<size_t>(count)));
    readFrames();
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

/// One that waits is answered at once; the one at work when it notices; an unknown one was
/// answered.
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

void Server::workThrough() {
  while (true) {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    const Request request = std::move(waiting_.front());
    waiting_.pop_front();
    current_ = request.id;
    cancelCurrent_ = false;
    lock.unlock();
    say(answerGuarded(request));
    lock.lock();
    current_ = 0;
    if (!work_.spent()) continue;
    spentOut_.close();
    return;
  }
}

/// No exception of a library may end the worker.
Answer Server::answerGuarded(const Request& request) {
  try {
    return answerTo(request);
  } catch (const std::bad_alloc&) {
    return {request.id, workError("the worker has not enough memory for this request")};
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
    return answer(work_.run(
        run->experiment, [this] { return cancelCurrent_.load(); },
        [&](const std::string& stage) {
          say({request.id, Stage{stage}});
        }));
  }
  if (const auto* ceilings = std::get_if<CeilingsRequest>(&request.body)) {
    return answer(work_.ceilings(ceilings->device));
  }
  if (const auto* ptx = std::get_if<PtxRequest>(&request.body)) {
    return answer(work_.ptx(ptx->experiment, ptx->instrumented));
  }
  return answer(work_.devices());
}

/// A client that is gone hears nothing; its end shows on `in`.
void Server::say(const Answer& answer) {
  std::vector<std::byte> body = encode(answer);
  if (body.size() > kMaxFrameBytes) {
    body = encode(Answer{answer.id, workError("the result has " + std::to_string(body.size()) +
                                              " bytes, more than a message may have: ask for a "
                                              "smaller trace or picture")});
  }
  const std::lock_guard lock(writing_);
  [[maybe_unused]] const Status ignored = writeFrame(out_, body);
}

}  // namespace

int serveWork(int in, int out, Work& work) {
  return Server(in, out, work).serve();
}

}  // namespace tilestep::worker
