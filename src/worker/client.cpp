// SPDX-License-Identifier: Apache-2.0
#include "worker/client.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

#include "base/files.h"
#include "lab/run/result_check.h"
#include "worker/connection.h"
#include "worker/live_queue.h"
#include "worker/messages.h"
#include "worker/watch.h"
#include "worker/words.h"

namespace tilestep::worker {
namespace {

using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

/// The most samples that are queued for the window, which would not keep more.
constexpr size_t kMostSamplesHeld = 100'000;

Result<Words> wordsOf(const Client::Options& options) {
  if (!options.command.empty()) return splitWords(options.command);
  Words words{programPath().string(), "worker"};
  if (options.interpreterThreads > 0) {
    words.insert(words.end(), {"--threads", std::to_string(options.interpreterThreads)});
  }
  return words;
}

/// Nothing for answers that leave their request open.
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

/// The time limit of a run; other requests have no limit of their own.
std::optional<double> limitOf(const decltype(Request::body)& body) {
  const auto* run = std::get_if<RunRequest>(&body);
  return run ? std::optional(run->experiment.timeoutSeconds) : std::nullopt;
}

/// The line count of the source to run. Absent for other requests, and for a program, whose kernels
/// may be in headers that the client does not have.
std::optional<uint32_t> sourceLinesOf(const decltype(Request::body)& body) {
  const auto* run = std::get_if<RunRequest>(&body);
  if (run == nullptr) return std::nullopt;
  const lab::Experiment& asked = run->experiment;
  if (asked.captured != nullptr || asked.source.launch != nullptr) return std::nullopt;
  return lab::sourceLinesOf(asked.source.text);
}

/// The reply, or an Error if the result refers to lines that the source does not have.
Reply checked(Reply reply, const std::optional<uint32_t>& sourceLines) {
  const auto* result = std::get_if<lab::ResultPointer>(&reply.body);
  if (result == nullptr || !sourceLines) return reply;
  const Status lines = lab::checkLines(**result, *sourceLines);
  return lines ? reply : Reply{reply.id, lines.error()};
}

class ProcessClient : public Client {
 public:
  ProcessClient(Words words, ChildOptions start, bool given, const Patience& patience)
      : words_(std::move(words)), start_(std::move(start)), given_(given), patience_(patience) {}

  /// Starts the worker. An Error if the command cannot be started.
  Status connect();

  uint64_t run(const lab::Experiment& experiment) override { return ask(RunRequest{experiment}); }
  uint64_t devices() override { return ask(DevicesRequest{}); }
  uint64_t ceilings(const std::string& device) override { return ask(CeilingsRequest{device}); }
  uint64_t ptx(const lab::Experiment& experiment, bool instrumented) override {
    return ask(PtxRequest{experiment, instrumented});
  }
  uint64_t live(const lab::Experiment& experiment) override;
  std::optional<device::LiveBatch> samples(uint64_t id) override;
  bool ready() override;
  void cancel(uint64_t id) override;
  std::optional<Reply> poll() override;
  std::optional<Progress> progress() override;
  Reply wait(uint64_t id) override;

 private:
  using Body = decltype(Request::body);
  struct Open {
    std::vector<std::byte> message;
    std::optional<double> limitSeconds;
    std::optional<uint32_t> sourceLines;  ///< The line count of the source to run.
    bool begun = false;                   ///< Whether the worker has reported Begun.
    bool resent = false;                  ///< Whether a worker ended before it began this request.
  };
  uint64_t ask(Body body);
  void send(uint64_t id, Open request);
  void sendLost();
  Connection::Events events();
  Status heard(std::vector<std::byte> frame);
  Status take(Answer answer);
  void takeProgress(uint64_t id, Stage stage);
  void takeReply(Reply reply);
  void takeSamples(uint64_t id, device::LiveBatch batch);
  void ended(const Error& why, bool greeted);
  std::optional<Progress> starting();

  const Words words_;
  const ChildOptions start_;
  const bool given_;  ///< Whether the user gave the command, which may then ask for a password.
  const Patience patience_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t lastId_ = 0;
  std::map<uint64_t, Open> open_;
  std::map<uint64_t, Open> lost_;  ///< Requests of a worker that ended before it began them.
  std::deque<Reply> replies_;
  std::optional<Progress> progress_;
  uint64_t liveId_ = 0;
  LiveQueue samples_{kMostSamplesHeld};  ///< Samples of the live request `liveId_`.
  bool alive_ = false, greeted_ = false;
  bool everGreeted_ = false;  ///< Whether the command has ever started a worker.
  bool restarted_ = false;    ///< Whether `ready` restarted the worker; false after its greeting.
  bool useful_ = false;       ///< Whether the worker has begun a request.
  Clock::time_point started_;
  int64_t startingSaid_ = 0;
  std::optional<Watch> watch_;  ///< The watch of the current worker, or of the last one.
  /// The last member, so that its thread ends before the members that it uses are destroyed. Used
  /// only by the caller's thread.
  std::unique_ptr<Connection> connection_;
};

Connection::Events ProcessClient::events() {
  Connection::Events events;
  events.heard = [this] {
    const std::lock_guard lock(mutex_);
    watch_->heard(Clock::now());
  };
  events.frame = [this](std::vector<std::byte> frame) { return heard(std::move(frame)); };
  events.due = [this] {
    const std::lock_guard lock(mutex_);
    return watch_->due();
  };
  events.overdue = [this] {
    const std::lock_guard lock(mutex_);
    return watch_->overdue(Clock::now());
  };
  events.ended = [this](const Error& why, bool greeted) { ended(why, greeted); };
  return events;
}

Status ProcessClient::connect() {
  connection_.reset();
  {
    const std::lock_guard lock(mutex_);
    alive_ = true;
    greeted_ = useful_ = false;
    started_ = Clock::now();
    startingSaid_ = 0;
    watch_.emplace(patience_, started_);
  }
  auto connection = Connection::open(words_, start_, given_, events());
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
  const std::optional<double> limit = limitOf(body);
  const std::optional<uint32_t> sourceLines = sourceLinesOf(body);
  const auto* run = std::get_if<RunRequest>(&body);
  const bool carriesMemory = run != nullptr && run->experiment.captured != nullptr;
  std::vector<std::byte> message = encode(Request{id, std::move(body)});
  const uint64_t most = carriesMemory ? kMaxRequestBytes : kMaxPlainRequestBytes;
  if (message.size() > most) {
    const std::lock_guard lock(mutex_);
    replies_.push_back(
        {id, requestError("the request has " + std::to_string(message.size()) +
                          " bytes; a worker accepts at most " + std::to_string(most))});
    return id;
  }
  sendLost();
  send(id, {std::move(message), limit, sourceLines});
  return id;
}

void ProcessClient::send(uint64_t id, Open request) {
  std::unique_lock lock(mutex_);
  if (!alive_) {
    lock.unlock();
    const Status status = connect();
    lock.lock();
    if (!status) {
      replies_.push_back({id, status.error(), true});
      return;
    }
  }
  // The request is added to open_ before sending, while the lock is held, so that it is answered
  // even if the worker ends now.
  if (!alive_) {
    replies_.push_back({id, workError("the worker ended as soon as it was started"), true});
    return;
  }
  std::vector<std::byte> message = request.message;
  watch_->asked(id, request.limitSeconds, Clock::now());
  open_.emplace(id, std::move(request));
  connection_->send(std::move(message));
}

/// Sends the requests that an ended worker had not begun to another worker.
void ProcessClient::sendLost() {
  std::map<uint64_t, Open> lost;
  {
    const std::lock_guard lock(mutex_);
    lost.swap(lost_);
  }
  for (auto& [id, request] : lost) send(id, std::move(request));
}

uint64_t ProcessClient::live(const lab::Experiment& experiment) {
  {
    const std::lock_guard lock(mutex_);
    liveId_ = lastId_ + 1;
    samples_ = LiveQueue(kMostSamplesHeld);
  }
  return ask(LiveRequest{experiment});
}

std::optional<device::LiveBatch> ProcessClient::samples(uint64_t id) {
  const std::lock_guard lock(mutex_);
  return id == liveId_ ? samples_.next() : std::nullopt;
}

bool ProcessClient::ready() {
  {
    const std::lock_guard lock(mutex_);
    if (alive_) return greeted_;
    if (!everGreeted_ || restarted_) return true;
    restarted_ = true;
  }
  return !connect();
}

void ProcessClient::cancel(uint64_t id) {
  const std::lock_guard lock(mutex_);
  if (lost_.erase(id) > 0) replies_.push_back({id, workError("the request was cancelled")});
  if (!alive_ || open_.count(id) == 0) return;
  watch_->cancelled(id, Clock::now());
  connection_->send(encode(Request{id, CancelRequest{}}));
}

Status ProcessClient::heard(std::vector<std::byte> frame) {
  auto answer = decodeAnswer(frame);
  if (answer) return take(std::move(*answer));
  const std::unique_lock lock(mutex_);
  if (!greeted_) {
    return decodeRequest(frame) ? workError("it echoes its input") : answer.error();
  }
  // A damaged answer closes its request. If it matches no open request, the worker is ended.
  const uint64_t id = idOf(frame);
  if (open_.erase(id) == 0) return answer.error();
  watch_->answered(id, Clock::now());
  replies_.push_back({id, answer.error()});
  changed_.notify_all();
  return {};
}

Status ProcessClient::take(Answer answer) {
  const std::lock_guard lock(mutex_);
  // An error with id 0 answers no request. The worker could not decode our message and gives up.
  const auto* error = std::get_if<Error>(&answer.body);
  if (error && answer.id == 0) return *error;
  if (std::holds_alternative<Hello>(answer.body)) {
    greeted_ = everGreeted_ = true;
    restarted_ = false;
    return {};
  }
  if (!greeted_) return workError("its greeting is not that of a worker");
  if (std::holds_alternative<Begun>(answer.body)) {
    takeProgress(answer.id, {});
  } else if (auto* stage = std::get_if<Stage>(&answer.body)) {
    takeProgress(answer.id, std::move(*stage));
  } else if (auto* batch = std::get_if<device::LiveBatch>(&answer.body)) {
    takeSamples(answer.id, std::move(*batch));
  } else if (auto reply = replyOf(answer)) {
    takeReply(std::move(*reply));
  }
  return {};
}

void ProcessClient::takeProgress(uint64_t id, Stage stage) {
  const auto at = open_.find(id);
  if (at == open_.end()) return;
  at->second.begun = useful_ = true;
  watch_->told(id, stage.stage, Clock::now());
  if (stage.fraction && !(*stage.fraction >= 0 && *stage.fraction <= 1)) stage.fraction.reset();
  if (!stage.stage.empty()) progress_ = Progress{id, std::move(stage.stage), stage.fraction};
}

void ProcessClient::takeReply(Reply reply) {
  const auto at = open_.find(reply.id);
  if (at == open_.end()) return;
  const std::optional<uint32_t> sourceLines = at->second.sourceLines;
  open_.erase(at);
  watch_->answered(reply.id, Clock::now());
  replies_.push_back(checked(std::move(reply), sourceLines));
  changed_.notify_all();
}

void ProcessClient::takeSamples(uint64_t id, device::LiveBatch batch) {
  const auto at = open_.find(id);
  if (at == open_.end() || id != liveId_) return;
  at->second.begun = useful_ = true;
  watch_->sampled(id, Clock::now());
  samples_.add(std::move(batch));
}

void ProcessClient::ended(const Error& why, bool greeted) {
  const std::lock_guard lock(mutex_);
  alive_ = false;
  for (auto& [id, request] : open_) {
    const bool noWorker = !greeted && !everGreeted_;
    if (noWorker || request.begun || (request.resent && !useful_)) {
      replies_.push_back({id, why, true});
      continue;
    }
    request.resent = request.resent || !useful_;
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
  if (alive_ && !greeted_) return starting();
  return std::exchange(progress_, std::nullopt);
}

/// Reports the waiting time once a second, because a login or a cluster's queue may take long.
std::optional<Progress> ProcessClient::starting() {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - started_).count();
  if (seconds == startingSaid_) return std::nullopt;
  startingSaid_ = seconds;
  return Progress{open_.empty() ? 0 : open_.begin()->first,
                  "starting " + joinWords(words_) + " for " + std::to_string(seconds) + " s",
                  {}};
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

Result<std::unique_ptr<Client>> Client::start(Options options) {
  auto words = wordsOf(options);
  if (!words) return words.error();
  const bool given = !options.command.empty();
  ChildOptions start;
  start.environment = options.environment;
  // A command may ask for a password, which requires the terminal's session.
  start.givesWay = options.givesWay && !given;
  auto client =
      std::make_unique<ProcessClient>(std::move(*words), std::move(start), given, options.patience);
  if (const Status status = client->connect(); !status) return status.error();
  return std::unique_ptr<Client>(std::move(client));
}

}  // namespace tilestep::worker
