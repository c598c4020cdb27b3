// SPDX-License-Identifier: Apache-2.0
#include "worker/client.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <map>
#include <utility>

#include "base/files.h"
#include "worker/connection.h"
#include "worker/messages.h"
#include "worker/words.h"

namespace tilestep::worker {
namespace {

using Words = std::vector<std::string>;

tilestep::Result<Words> wordsOf(const Client::Options& options) {
  if (!options.command.empty()) return splitWords(options.command);
  Words words{programPath().string(), "worker"};
  if (options.interpreterThreads > 0) {
    words.insert(words.end(), {"--threads", std::to_string(options.interpreterThreads)});
  }
  return words;
}

/// Only answers that close a request become replies.
std::optional<Reply> replyOf(Answer& answer) {
  return std::visit(
      [&answer](auto& body) -> std::optional<Reply> {
        if constexpr (std::is_constructible_v<decltype(Reply::body), decltype(body)>) {
          return Reply{answer.id, std::move(body)};
        } else {
          return std::nullopt;
        }
      },
      answer.body);
}

class ProcessClient : public Client {
 public:
  explicit ProcessClient(Words words) : words_(std::move(words)) {}

  /// Starts the worker; an Error when the command cannot be started.
  Status connect();

  uint64_t run(const lab::Experiment& experiment) override { return ask(RunRequest{experiment}); }
  uint64_t devices() override { return ask(DevicesRequest{}); }
  uint64_t ceilings(const std::string& device) override { return ask(CeilingsRequest{device}); }
  uint64_t ptx(const lab::Experiment& experiment, bool instrumented) override {
    return ask(PtxRequest{experiment, instrumented});
  }
  void cancel(uint64_t id) override;
  std::optional<Reply> poll() override;
  std::optional<Progress> progress() override;
  Reply wait(uint64_t id) override;

 private:
  using Body = decltype(Request::body);
  struct Open {
    std::vector<std::byte> message;
    bool begun = false;   ///< The worker has told of it.
    bool resent = false;  ///< Once is enough: it may be what ends the worker.
  };
  uint64_t ask(Body body);
  void send(uint64_t id, Open request);
  void sendLost();
  Status heard(std::vector<std::byte> frame);
  void take(Answer answer);
  void ended(const Error& why);

  const Words words_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t lastId_ = 0;
  std::map<uint64_t, Open> open_;
  std::map<uint64_t, Open> lost_;  ///< Sent to a worker that ended before it began them.
  std::deque<Reply> replies_;
  std::optional<Progress> progress_;
  bool alive_ = false;
  /// Last, so that its thread is gone before what it uses. Touched by the caller's thread alone.
  std::unique_ptr<Connection> connection_;
};

Status ProcessClient::connect() {
  connection_.reset();
  {
    const std::lock_guard lock(mutex_);
    alive_ = true;
  }
  auto connection = Connection::open(
      words_, {[this](std::vector<std::byte> frame) { return heard(std::move(frame)); },
               [this](const Error& why) { ended(why); }});
  if (!connection) {
    const std::lock_guard lock(mutex_);
    alive_ = false;
    return connection.error();
  }
  connection_ = std::move(*connection);
  connection_->send(encode(Request{0, Hello{kProtocolVersion}}));
  return {};
}

uint64_t ProcessClient::ask(Body body) {
  const uint64_t id = ++lastId_;
  std::vector<std::byte> message = encode(Request{id, std::move(body)});
  if (message.size() > kMaxFrameBytes) {
    const std::lock_guard lock(mutex_);
    replies_.push_back({id, requestError("the request is too large to send to the worker")});
    return id;
  }
  sendLost();
  send(id, {std::move(message)});
  return id;
}

void ProcessClient::send(uint64_t id, Open request) {
  std::unique_lock lock(mutex_);
  if (!alive_) {
    lock.unlock();
    const Status status = connect();
    lock.lock();
    if (!status) {
      replies_.push_back({id, status.error()});
      return;
    }
  }
  // Open before it is sent, and under the lock: a worker that ends now answers this one too.
  if (!alive_) {
    replies_.push_back({id, workError("the worker ended as soon as it was started")});
    return;
  }
  std::vector<std::byte> message = request.message;
  open_.emplace(id, std::move(request));
  connection_->send(std::move(message));
}

/// A worker that ended takes the requests with it that it had not begun: another one gets them.
void ProcessClient::sendLost() {
  std::map<uint64_t, Open> lost;
  {
    const std::lock_guard lock(mutex_);
    lost.swap(lost_);
  }
  for (auto& [id, request] : lost) send(id, std::move(request));
}

void ProcessClient::cancel(uint64_t id) {
  const std::lock_guard lock(mutex_);
  if (lost_.erase(id) > 0) replies_.push_back({id, workError("the request was cancelled")});
  if (alive_ && open_.count(id) > 0) connection_->send(encode(Request{id, CancelRequest{}}));
}

Status ProcessClient::heard(std::vector<std::byte> frame) {
  auto answer = decodeAnswer(frame);
  if (answer) {
    // Not an answer to anything: the worker could not read us and gives up.
    const auto* error = std::get_if<Error>(&answer->body);
    if (error && answer->id == 0) return *error;
    take(std::move(*answer));
    return {};
  }
  // A damaged answer closes its own request; one that nobody can be told ends the worker.
  const uint64_t id = idOf(frame);
  if (id == 0) return answer.error();
  take({id, answer.error()});
  return {};
}

void ProcessClient::take(Answer answer) {
  const std::lock_guard lock(mutex_);
  if (auto* stage = std::get_if<Stage>(&answer.body)) {
    const auto at = open_.find(answer.id);
    if (at == open_.end()) return;
    at->second.begun = true;
    progress_ = Progress{answer.id, std::move(stage->stage)};
    return;
  }
  auto reply = replyOf(answer);
  if (!reply || open_.erase(answer.id) == 0) return;
  replies_.push_back(std::move(*reply));
  changed_.notify_all();
}

void ProcessClient::ended(const Error& why) {
  const std::lock_guard lock(mutex_);
  alive_ = false;
  for (auto& [id, request] : open_) {
    if (request.begun || request.resent) {
      replies_.push_back({id, why});
      continue;
    }
    request.resent = true;
    lost_.emplace(id, std::move(request));
  }
  open_.clear();
  progress_.reset();
  changed_.notify_all();
}

std::optional<Reply> ProcessClient::poll() {
  sendLost();
  const std::lock_guard lock(mutex_);
  if (replies_.empty()) return std::nullopt;
  Reply reply = std::move(replies_.front());
  replies_.pop_front();
  return reply;
}

std::optional<Progress> ProcessClient::progress() {
  const std::lock_guard lock(mutex_);
  return std::exchange(progress_, std::nullopt);
}

Reply ProcessClient::wait(uint64_t id) {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto at = std::find_if(replies_.begin(), replies_.end(),
                                 [id](const Reply& reply) { return reply.id == id; });
    if (at != replies_.end()) {
      Reply reply = std::move(*at);
      replies_.erase(at);
      return reply;
    }
    if (lost_.count(id) > 0) {
      lock.unlock();
      sendLost();
      lock.lock();
      continue;
    }
    if (open_.count(id) == 0) {
      return {id, requestError("request " + std::to_string(id) + " is not open")};
    }
    changed_.wait(lock);
  }
}

}  // namespace

tilestep::Result<std::unique_ptr<Client>> Client::start(Options options) {
  auto words = wordsOf(options);
  if (!words) return words.error();
  auto client = std::make_unique<ProcessClient>(std::move(*words));
  if (const Status status = client->connect(); !status) return status.error();
  return std::unique_ptr<Client>(std::move(client));
}

}  // namespace tilestep::worker
