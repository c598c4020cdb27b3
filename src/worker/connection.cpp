// SPDX-License-Identifier: Apache-2.0
#include "worker/connection.h"

#include <poll.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

namespace tilestep::worker {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGoodbye{1000};   ///< For a worker to end after its input has.
constexpr milliseconds kTerminate{500};  ///< For SIGTERM to work.
constexpr size_t kLongestLine = 400;

/// Writing to a worker that has died must be an error here, not the end of the program. Blocked in
/// this thread alone, the signal goes to nobody.
void blockPipeSignal() {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
}

bool wouldBlock() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const std::vector<std::string>& words,
                                                     Events events) {
  auto pipe = makePipe();
  if (!pipe) return pipe.error();
  auto child = spawn(words);
  if (!child) return child.error();
  return std::unique_ptr<Connection>(
      new Connection(std::move(*child), std::move(*pipe), std::move(events)));
}

Connection::Connection(Child child, Pipe wake, Events events)
    : child_(std::move(child)), wake_(std::move(wake)), events_(std::move(events)) {
  thread_ = std::thread([this] { talk(); });
}

Connection::~Connection() {
  closing_ = true;
  wake();
  thread_.join();
}

void Connection::send(std::vector<std::byte> body) {
  const auto header = frameHeader(body.size());
  {
    const std::lock_guard lock(mutex_);
    outbox_.emplace_back(header.begin(), header.end());
    outbox_.push_back(std::move(body));
  }
  wake();
}

void Connection::wake() {
  const char token = 0;
  // A full pipe wakes the thread just as well.
  [[maybe_unused]] const ssize_t ignored = ::write(wake_.write.get(), &token, 1);
}

void Connection::takeOutbox() {
  std::array<char, 64> tokens{};
  [[maybe_unused]] const ssize_t ignored = ::read(wake_.read.get(), tokens.data(), tokens.size());
  const std::lock_guard lock(mutex_);
  for (auto& bytes : outbox_) writing_.push_back(std::move(bytes));
  outbox_.clear();
}

void Connection::talk() {
  blockPipeSignal();
  Status status;
  while (status && !closing_ && !outputEnded_) status = exchange();
  const int end = endProcess(status.ok());
  if (!status) return events_.ended(status.error());
  std::string why = "the worker ended with " + describeEnd(end);
  if (!lastErrorLine_.empty()) why += ": " + lastErrorLine_;
  events_.ended(workError(why));
}

/// Waits until a stream is ready, then reads and writes what can be.
Status Connection::exchange() {
  const bool errors = child_.errors.isOpen();
  const bool writes = !writing_.empty() && child_.input.isOpen();
  std::array<pollfd, 4> streams{{{wake_.read.get(), POLLIN, 0},
                                 {child_.output.get(), POLLIN, 0},
                                 {errors ? child_.errors.get() : -1, POLLIN, 0},
                                 {writes ? child_.input.get() : -1, POLLOUT, 0}}};
  if (::poll(streams.data(), streams.size(), -1) < 0 && errno != EINTR) {
    return workError("cannot wait for the worker");
  }
  if (streams[0].revents != 0) takeOutbox();
  if (streams[2].revents != 0) readErrors();
  if (streams[3].revents != 0) writeInput();
  return streams[1].revents != 0 ? readOutput() : Status{};
}

Status Connection::readOutput() {
  std::array<std::byte, size_t{64} << 10> piece;
  const ssize_t count = ::read(child_.output.get(), piece.data(), piece.size());
  if (count < 0 && wouldBlock()) return {};
  if (count <= 0) {
    outputEnded_ = true;
    return {};
  }
  const auto bytes = std::span(piece).first(static_cast<size_t>(count));
  if (Status status = incoming_.feed(bytes); !status) return status;
  while (auto body = incoming_.next()) {
    if (Status status = events_.frame(std::move(*body)); !status) return status;
  }
  return {};
}

/// Passes the worker's words on and keeps its last full line for who must say why it ended.
void Connection::readErrors() {
  std::array<char, 4096> piece;
  const ssize_t count = ::read(child_.errors.get(), piece.data(), piece.size());
  if (count < 0 && wouldBlock()) return;
  if (count <= 0) return child_.errors.close();
  const std::string_view text(piece.data(), static_cast<size_t>(count));
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  for (const char c : text) {
    if (c != '\n') {
      if (errorLine_.size() < kLongestLine) errorLine_ += c;
    } else {
      if (!errorLine_.empty()) lastErrorLine_ = std::move(errorLine_);
      errorLine_.clear();
    }
  }
}

void Connection::writeInput() {
  while (!writing_.empty()) {
    const std::vector<std::byte>& bytes = writing_.front();
    const size_t left = bytes.size() - written_;
    const ssize_t count = ::write(child_.input.get(), bytes.data() + written_, left);
    if (count < 0 && wouldBlock()) return;
    // Its end shows on its output; there the reason is found.
    if (count < 0) return child_.input.close();
    written_ += static_cast<size_t>(count);
    if (written_ < bytes.size()) return;
    writing_.pop_front();
    written_ = 0;
  }
}

/// The wait status. Impatient where the other side talks nonsense.
int Connection::endProcess(bool patient) {
  child_.input.close();
  // Nobody reads any more: a worker that is in the middle of a long answer must notice.
  child_.output.close();
  if (closing_) child_.errors.close();
  std::optional<int> end = waitFor(child_.process, patient ? kGoodbye : milliseconds(0));
  if (!end) {
    ::kill(child_.process, SIGTERM);
    end = waitFor(child_.process, kTerminate);
  }
  if (!end) {
    ::kill(child_.process, SIGKILL);
    int status = 0;
    ::waitpid(child_.process, &status, 0);
    end = status;
  }
  // A pipe holds more than one piece, but not without end: something may still write to it.
  for (int i = 0; i < 64 && child_.errors.isOpen(); ++i) {
    pollfd stream{child_.errors.get(), POLLIN, 0};
    if (::poll(&stream, 1, 0) <= 0) break;
    readErrors();
  }
  if (!errorLine_.empty()) lastErrorLine_ = errorLine_;
  return *end;
}

}  // namespace tilestep::worker
