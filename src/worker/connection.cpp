// SPDX-License-Identifier: Apache-2.0
#include "worker/connection.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

#include "base/printable.h"
#include "worker/words.h"

namespace tilestep::worker {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGoodbye{1000};   ///< Time to end after the input was closed.
constexpr milliseconds kTerminate{500};  ///< Time to end after SIGTERM.

/// Makes a write to a dead worker fail instead of ending this program. SIGPIPE is blocked only in
/// this thread, and is never delivered.
void blockPipeSignal() {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
}

bool wouldBlock() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

Error noWorker(const std::string& command, const Error& reason) {
  Error error =
      requestError("the command '" + command + "' started no Tilestep worker: " + reason.message +
                   "; give a command that runs 'tilestep worker', such as --worker \"ssh HOST "
                   "tilestep worker\"");
  error.late = reason.late;
  return error;
}

}  // namespace

Result<std::unique_ptr<Connection>> Connection::open(const std::vector<std::string>& words,
                                                     ChildOptions options, bool lendTerminal,
                                                     Events events) {
  auto pipe = makePipe();
  if (!pipe) return pipe.error();
  std::string command = joinWords(words);
  options.takesInput = true;
  auto child = ChildProcess::start(words, options);
  if (!child) return noWorker(command, child.error());
  try {
    return std::unique_ptr<Connection>(new Connection(
        std::move(command), std::move(*child), std::move(*pipe), lendTerminal, std::move(events)));
  } catch (const std::system_error& failure) {
    return workError(std::string("no thread can be started for a worker: ") + failure.what() +
                     "; end other programs, or raise the limit of processes (ulimit -u)");
  }
}

Connection::Connection(std::string command, ChildProcess child, Pipe wake, bool lendTerminal,
                       Events events)
    : command_(std::move(command)),
      child_(std::move(child)),
      wake_(std::move(wake)),
      events_(std::move(events)) {
  if (lendTerminal) terminal_ = TerminalLoan(child_.id());
  thread_ = std::thread([this] { talk(); });
}

Connection::~Connection() {
  closing_ = true;
  wake();
  thread_.join();
}

void Connection::send(std::vector<std::byte> body) {
  const auto header = frameHeader(body.size());
  body.push_back(kFrameEnd);
  {
    const std::lock_guard lock(mutex_);
    outbox_.emplace_back(header.begin(), header.end());
    outbox_.push_back(std::move(body));
  }
  wake();
}

void Connection::wake() {
  const char token = 0;
  // If the pipe is full, the thread will wake up in any case.
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
  terminal_.end();
  const int end = endProcess(status.ok());
  if (!status && !greeted_) return events_.ended(noWorker(command_, status.error()), false);
  events_.ended(status ? whyEnded(end) : status.error(), greeted_);
}

Error Connection::whyEnded(int waitStatus) const {
  const std::string& said = lastWords_.line();
  if (greeted_) {
    return workError("the worker ended with " + describeEnd(waitStatus) +
                     (said.empty() ? "" : ": " + said));
  }
  const std::string printed = prelude_.firstLine();
  std::string reason = printed.empty() ? "it " : "it printed \"" + printed + "\" and ";
  reason += "ended with " + describeEnd(waitStatus);
  return noWorker(command_, workError(reason + (said.empty() ? "" : ": " + said)));
}

/// The timeout for poll(): milliseconds, rounded up, or -1.
int Connection::patience() const {
  const auto due = events_.due();
  if (!due) return -1;
  const auto left = std::chrono::ceil<milliseconds>(*due - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1 << 30));
}

/// Waits until a stream is ready, then reads and writes as much as possible.
Status Connection::exchange() {
  const bool errors = child_.errors.isOpen();
  const bool writes = !writing_.empty() && child_.input.isOpen();
  std::array<pollfd, 4> streams{{{wake_.read.get(), POLLIN, 0},
                                 {child_.output.get(), POLLIN, 0},
                                 {errors ? child_.errors.get() : -1, POLLIN, 0},
                                 {writes ? child_.input.get() : -1, POLLOUT, 0}}};
  if (::poll(streams.data(), streams.size(), patience()) < 0 && errno != EINTR) {
    return workError("cannot wait for the worker");
  }
  if (streams[0].revents != 0) takeOutbox();
  if (streams[2].revents != 0) readErrors();
  if (streams[3].revents != 0) writeInput();
  if (streams[1].revents != 0) return readOutput();
  // Checked after reading, because data may have arrived while this program itself was stopped.
  const std::optional<Error> overdue = events_.overdue();
  return overdue ? Status(*overdue) : Status();
}

Status Connection::readOutput() {
  std::array<std::byte, size_t{64} << 10> piece;
  const ssize_t count = ::read(child_.output.get(), piece.data(), piece.size());
  if (count < 0 && wouldBlock()) return {};
  if (count <= 0) {
    outputEnded_ = true;
    return {};
  }
  const auto bytes = prelude_.feed(std::span(piece).first(static_cast<size_t>(count)));
  if (!bytes) return bytes.error();
  // Noise before the first frame is no sign of life.
  return bytes->empty() ? Status() : takeFrames(*bytes);
}

Status Connection::takeFrames(std::span<const std::byte> bytes) {
  events_.heard();
  if (Status status = incoming_.feed(bytes); !status) return status;
  while (auto body = incoming_.next()) {
    if (Status status = events_.frame(std::move(*body)); !status) return status;
    greeted_ = true;
    terminal_.end();
  }
  return {};
}

/// Passes the worker's standard error on. Keeps its last line for a later error message.
void Connection::readErrors() {
  std::array<char, 4096> piece;
  const ssize_t count = ::read(child_.errors.get(), piece.data(), piece.size());
  if (count < 0 && wouldBlock()) return;
  if (count <= 0) return child_.errors.close();
  const std::string_view text(piece.data(), static_cast<size_t>(count));
  passOn(text);
  lastWords_.add(text);
}

/// The worker may be on another machine, so its output must not control this terminal, look like
/// our own messages, or flood the terminal.
void Connection::passOn(std::string_view text) {
  constexpr size_t kMostBytes = size_t{256} << 10;
  if (passedOn_ >= kMostBytes) return;
  passedOn_ += text.size();
  std::string words = passedLines_.add(printable(text));
  if (passedOn_ >= kMostBytes) {
    if (!passedLines_.begins()) words += '\n';
    words += "(Later output of the worker is left out.)\n";
  }
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, words.data(), words.size());
}

void Connection::writeInput() {
  while (!writing_.empty()) {
    const std::vector<std::byte>& bytes = writing_.front();
    const size_t left = bytes.size() - written_;
    const ssize_t count = ::write(child_.input.get(), bytes.data() + written_, left);
    if (count < 0 && wouldBlock()) return;
    // The worker's output will show that it has ended, and give the reason.
    if (count < 0) return child_.input.close();
    written_ += static_cast<size_t>(count);
    if (written_ < bytes.size()) return;
    writing_.pop_front();
    written_ = 0;
  }
}

/// Returns the wait status. `patient` is false if the process sent something other than frames.
int Connection::endProcess(bool patient) {
  child_.input.close();
  // Its output is no longer read. Closing it tells this to a worker that is writing a long answer.
  child_.output.close();
  if (closing_) child_.errors.close();
  if (!child_.endsWithin(patient ? kGoodbye : milliseconds(0))) {
    child_.signalGroup(SIGTERM);
    [[maybe_unused]] const bool ended = child_.endsWithin(kTerminate);
  }
  const int end = child_.kill();
  // A pipe may hold several pieces. The loop is bounded, as some process may still write to it.
  for (int i = 0; i < 64 && child_.errors.isOpen(); ++i) {
    pollfd stream{child_.errors.get(), POLLIN, 0};
    if (::poll(&stream, 1, 0) <= 0) break;
    readErrors();
  }
  return end;
}

}  // namespace tilestep::worker
