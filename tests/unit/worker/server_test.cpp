// SPDX-License-Identifier: Apache-2.0
#include "worker/server.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <set>
#include <thread>

#include "base/descriptor.h"
#include "support/results.h"
#include "worker/frame.h"
#include "worker/messages.h"

namespace tilestep::worker::server_test {

/// Each run waits until it is released or cancelled.
class HeldWork : public Work {
 public:
  Result<lab::RunResult> run(const lab::Experiment& experiment, const device::Cancelled& cancelled,
                             const Progress& progress) override {
    progress("at work on " + experiment.source.text);
    while (!free && !cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!free) return workError("noticed");
    lab::RunResult result;
    result.kernel = experiment.source.text;
    if (result.kernel == "large") {
      result.plan.operands.emplace_back();
      result.pictures.push_back({0, 1, 1, 1, 1 << 20, std::vector<float>(1 << 20)});
    }
    return result;
  }
  Result<DevicesReply> devices() override { return DevicesReply{{}, "none"}; }
  Result<device::Ceilings> ceilings(const std::string& device) override {
    if (device == "throw") throw std::runtime_error("thrown");
    return requestError("no such device as " + device);
  }
  Result<std::string> ptx(const lab::Experiment&, bool) override { return "// PTX"; }

  [[nodiscard]] bool spent() const override { return used; }

  std::atomic<bool> free{false}, used{false};
};

/// A server in a thread, and the client's ends of its pipes.
class Server : public testing::Test {
 protected:
  void SetUp() override {
    handlerBefore_ = std::signal(SIGPIPE, SIG_IGN);
    toServer_ = makePipe().value();
    fromServer_ = makePipe().value();
    thread_ = std::thread(
        [this] { status_ = serveWork(toServer_.read.get(), fromServer_.write.get(), work_); });
  }
  void TearDown() override {
    if (thread_.joinable()) end();
    std::signal(SIGPIPE, handlerBefore_);
  }
  int end() {
    toServer_.write.close();
    thread_.join();
    return status_;
  }
  void say(uint64_t id, decltype(Request::body) body) {
    sayFrame(encode(Request{id, std::move(body)}));
  }
  void sayFrame(const std::vector<std::byte>& body) {
    const auto header = frameHeader(body.size());
    sayBytes({reinterpret_cast<const char*>(header.data()), header.size()});
    sayBytes({reinterpret_cast<const char*>(body.data()), body.size()});
    sayBytes("\n");
  }
  void sayBytes(std::string_view bytes) {
    ASSERT_EQ(::write(toServer_.write.get(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }
  /// The next answer other than Begun and Beat.
  Answer hear() {
    while (true) {
      Answer answer = hearAny();
      const bool dull =
          std::holds_alternative<Beat>(answer.body) || std::holds_alternative<Begun>(answer.body);
      if (!dull) return answer;
    }
  }
  Answer hearAny() {
    while (true) {
      if (auto body = incoming_.next()) {
        auto answer = decodeAnswer(*body);
        EXPECT_TRUE(answer);
        return answer ? std::move(*answer) : Answer{};
      }
      std::array<std::byte, 4096> piece;
      const ssize_t count = ::read(fromServer_.read.get(), piece.data(), piece.size());
      if (count <= 0) return {0, workError("the stream ended")};
      EXPECT_TRUE(incoming_.feed(std::span(piece).first(static_cast<size_t>(count))));
    }
  }
  static RunRequest run(const char* text) {
    RunRequest request;
    request.experiment.source.text = text;
    return request;
  }
  static std::string errorOf(const Answer& answer) {
    const auto* error = std::get_if<Error>(&answer.body);
    return error ? error->message : "";
  }

  HeldWork work_;
  Pipe toServer_, fromServer_;
  FrameBuffer incoming_;
  std::thread thread_;
  void (*handlerBefore_)(int) = SIG_DFL;
  int status_ = -1;
};

TEST_F(Server, AnswersEachKindOfRequest) {
  work_.free = true;
  say(0, Hello{kProtocolVersion});
  EXPECT_EQ(std::get<Hello>(hear().body).version, kProtocolVersion);
  say(1, DevicesRequest{});
  EXPECT_EQ(std::get<DevicesReply>(hear().body).compiler, "none");
  say(2, CeilingsRequest{"cuda:9"});
  EXPECT_EQ(errorOf(hear()), "no such device as cuda:9");
  say(3, PtxRequest{});
  EXPECT_EQ(std::get<std::string>(hear().body), "// PTX");
  say(4, run("a"));
  const Answer stage = hear();
  EXPECT_EQ(stage.id, 4U);
  EXPECT_EQ(std::get<Stage>(stage.body).stage, "at work on a");
  EXPECT_EQ((*std::get<lab::ResultPointer>(hear().body)).kernel, "a");
  EXPECT_EQ(end(), 0);
}

TEST_F(Server, ExceptionsAndBadMessagesAreAnsweredAndTheNextServed) {
  say(1, CeilingsRequest{"throw"});
  EXPECT_EQ(errorOf(hear()), "the worker failed: thrown");
  say(2, DevicesRequest{});
  EXPECT_EQ(hear().id, 2U);
  std::vector<std::byte> body = encode(Request{5, CeilingsRequest{"x"}});
  // "device" becomes "devicf".
  const std::string_view text(reinterpret_cast<const char*>(body.data()), body.size());
  body[text.rfind("device") + 5] = std::byte{'f'};
  sayFrame(body);
  const Answer answer = hear();
  EXPECT_EQ(answer.id, 5U);
  EXPECT_TRUE(has(errorOf(answer), "message.body has no field device"));
  say(6, DevicesRequest{});
  EXPECT_EQ(hear().id, 6U);
}

TEST_F(Server, CancelsRunningAndWaitingRequests) {
  say(1, run("first"));
  EXPECT_TRUE(std::holds_alternative<Stage>(hear().body)) << "progress comes while it works";
  say(2, run("second"));
  say(3, run("third"));
  say(2, CancelRequest{});
  const Answer waiting = hear();
  EXPECT_EQ(waiting.id, 2U);
  EXPECT_TRUE(has(errorOf(waiting), "cancelled"));
  say(1, CancelRequest{});
  const Answer working = hear();
  EXPECT_EQ(working.id, 1U);
  EXPECT_EQ(errorOf(working), "noticed");
  // The cancel affected only the first request. Late cancels are harmless.
  EXPECT_EQ(hear().id, 3U);
  say(1, CancelRequest{});
  say(99, CancelRequest{});
  work_.free = true;
  EXPECT_TRUE(std::holds_alternative<lab::ResultPointer>(hear().body));
}

TEST_F(Server, ReportsTheStartOfARequestAndBeats) {
  say(1, run("first"));
  const Answer begun = hearAny();
  EXPECT_EQ(begun.id, 1U);
  EXPECT_TRUE(std::holds_alternative<Begun>(begun.body));
  EXPECT_TRUE(std::holds_alternative<Stage>(hearAny().body));
  for (int i = 0; i < 2; ++i) {
    const Answer beat = hearAny();
    EXPECT_EQ(beat.id, 0U);
    EXPECT_TRUE(std::holds_alternative<Beat>(beat.body));
  }
  work_.free = true;
  EXPECT_TRUE(std::holds_alternative<lab::ResultPointer>(hear().body));
}

TEST_F(Server, ServerReadsWhileTheClientDoesNot) {
  work_.free = true;
  say(1, run("large"));
  // More requests than fit in the pipe. The server must read them, though its output is full.
  constexpr uint64_t kMany = 4000;
  for (uint64_t id = 2; id < kMany; ++id) say(id, DevicesRequest{});
  for (uint64_t id = 2; id < kMany; id += 2) say(id, CancelRequest{});
  // Cancels need no work, so their answers may come before the large one.
  std::set<uint64_t> answered;
  while (answered.size() < kMany - 1) {
    const Answer answer = hear();
    if (std::holds_alternative<Stage>(answer.body)) continue;
    EXPECT_TRUE(answered.insert(answer.id).second) << answer.id;
  }
  EXPECT_EQ(end(), 0);
}

TEST_F(Server, InterleavedRequestsAndCancelsAreAnsweredOnceEach) {
  say(1, run("first"));
  EXPECT_TRUE(std::holds_alternative<Stage>(hear().body));
  for (uint64_t id = 2; id <= 21; ++id) {
    id % 2 == 0 ? say(id, run("x")) : say(id, DevicesRequest{});
    if (id % 3 == 0) say(id, CancelRequest{});
    if (id % 6 == 0) say(id, CancelRequest{});
  }
  std::map<uint64_t, std::string> errors;
  while (errors.size() < 7) {
    const Answer answer = hear();
    EXPECT_TRUE(errors.emplace(answer.id, errorOf(answer)).second);
    EXPECT_EQ(errors[answer.id], "the request was cancelled");
  }
  work_.free = true;
  std::set<uint64_t> answered;
  while (answered.size() < 14) {
    const Answer answer = hear();
    if (std::holds_alternative<Stage>(answer.body)) continue;
    EXPECT_TRUE(answered.insert(answer.id).second);
    EXPECT_EQ(errors.count(answer.id), 0U);
    EXPECT_EQ(errorOf(answer), "");
  }
  EXPECT_TRUE(std::is_sorted(answered.begin(), answered.end()));
  EXPECT_EQ(end(), 0);
}

TEST_F(Server, TooLongRequestsAreRefusedByTheirHeader) {
  const auto header = frameHeader(kMaxRequestBytes + 1);
  sayBytes({reinterpret_cast<const char*>(header.data()), header.size()});
  EXPECT_TRUE(has(errorOf(hear()), "at most " + std::to_string(kMaxRequestBytes)));
  thread_.join();
  EXPECT_EQ(status_, 1);
}

TEST_F(Server, TheEndOfInputCancelsTheRest) {
  say(1, run("first"));
  say(2, run("second"));
  EXPECT_TRUE(std::holds_alternative<Stage>(hear().body));
  EXPECT_EQ(end(), 0);
  EXPECT_EQ(errorOf(hear()), "noticed");
}

TEST_F(Server, OtherProtocolsAreRefused) {
  sayBytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const Answer answer = hear();
  EXPECT_EQ(answer.id, 0U);
  EXPECT_TRUE(has(errorOf(answer), "GET / HTTP"));
  thread_.join();
  EXPECT_EQ(status_, 1);
}

TEST_F(Server, DisconnectedClientsDoNotEndTheProgram) {
  fromServer_.read.close();
  say(1, DevicesRequest{});
  EXPECT_EQ(end(), 0);
}

}  // namespace tilestep::worker::server_test
