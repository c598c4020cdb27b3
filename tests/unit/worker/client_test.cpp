// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/results.h"
#include "unit/worker/fakes.h"
#include "worker/marked_lines.h"

namespace tilestep::worker::client_test {

TEST(Client, EachKindOfRequestIsAnswered) {
  const auto client = startFake();
  const uint64_t run = client->run(order("something"));
  const uint64_t devices = client->devices();
  const uint64_t ceilings = client->ceilings("cuda:0");
  const uint64_t ptx = client->ptx(order("text"), true);
  EXPECT_EQ(std::get<std::string>(client->wait(ptx).body), "text instrumented");
  EXPECT_EQ(std::get<device::Ceilings>(client->wait(ceilings).body).device, "cuda:0");
  EXPECT_EQ(std::get<DevicesReply>(client->wait(devices).body).devices[0].id, "simt");
  EXPECT_EQ((*std::get<lab::ResultPointer>(client->wait(run).body)).kernel, "something");
  EXPECT_EQ(client->poll(), std::nullopt) << "each answer is returned once";
}

TEST(Client, FailingWorkIsAnsweredAndTheNextRequestWorks) {
  const auto client = startFake();
  EXPECT_EQ(errorFor(*client, "line 2"), "a result names line 2 of a source of 1 line");
  EXPECT_EQ(errorFor(*client, "a"), "") << "the worker continues";
  EXPECT_EQ(resultFor(*client, "print").kernel, "print");
  EXPECT_EQ(errorFor(*client, "memory"), "the worker does not have enough memory for this request");
  EXPECT_EQ(resultFor(*client, "a").kernel, "a");
}

TEST(Client, EachLineOfAWorkersOutputIsMarked) {
  testing::internal::CaptureStderr();
  {
    const auto client = startFake();
    EXPECT_NE(errorFor(*client, "exit"), "");
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.starts_with("worker: first line\nworker: ")) << said;
}

TEST(Client, CancelEndsARunAndKeepsTheOthers) {
  const auto client = startFake();
  const uint64_t first = client->run(order("wait"));
  const uint64_t second = client->run(order("wait"));
  const uint64_t third = client->run(order("done"));
  awaitProgress(*client, "doing wait");
  client->cancel(second);
  EXPECT_TRUE(has(errorOf(client->wait(second)), "cancelled"));
  client->cancel(first);
  EXPECT_EQ(errorOf(client->wait(first)), "cancelled as asked");
  EXPECT_EQ((*std::get<lab::ResultPointer>(client->wait(third).body)).kernel, "done");
  client->cancel(third);
}

TEST(Client, AWorkerThatExitsLosesItsRequestAndAnotherServesTheRest) {
  const auto client = startFake();
  EXPECT_EQ(resultFor(*client, "a").kernel, "a");
  const uint64_t doomed = client->run(order("exit"));
  const uint64_t behind = client->devices();
  const Reply lost = client->wait(doomed);
  EXPECT_EQ(errorOf(lost), "the worker ended with exit status 3: out of luck");
  EXPECT_TRUE(lost.lost);
  EXPECT_EQ(std::get<DevicesReply>(client->wait(behind).body).devices[0].id, "simt");
  EXPECT_EQ(resultFor(*client, "b").outputHash, 1U) << "a new process counts from 1";
  // A sanitizer turns the signal into an exit.
  const std::string error = errorFor(*client, "crash");
  EXPECT_TRUE(has(error, "signal SIGSEGV") || has(error, "exit status")) << error;
}

TEST(Client, ACommandThatCannotStartIsARequestError) {
  EXPECT_TRUE(
      fails(Client::start({"/no/such/program worker", 0}), ErrorKind::request, "/no/such/program"));
  EXPECT_FALSE(Client::start({"'unclosed", 0}));
}

TEST(Client, ProgressHoldsAKnownFraction) {
  const auto client = startFake();
  const uint64_t id = client->run(order("halfway"));
  std::optional<Progress> last;
  while (!client->poll()) {
    if (auto progress = client->progress()) last = progress;
  }
  if (auto progress = client->progress()) last = progress;
  ASSERT_TRUE(last);
  EXPECT_EQ(last->id, id);
  EXPECT_EQ(last->stage, "halfway");
  EXPECT_EQ(last->fraction, 0.5);
}

TEST(Client, TooLargeAndUnknownRequestsAreErrors) {
  const auto client = startFake();
  const Reply reply = client->wait(client->run(order(std::string(size_t{17} << 20, 'x'))));
  EXPECT_TRUE(has(errorOf(reply), "at most"));
  EXPECT_EQ(std::get<Error>(reply.body).kind, ErrorKind::request);
  EXPECT_TRUE(has(errorOf(client->wait(12345)), "not open"));
}

TEST(Client, UnreadAnswersDoNotBlock) {
  const auto client = startFake();
  std::vector<uint64_t> ids;
  for (int i = 0; i < 8; ++i) ids.push_back(client->run(order("large")));
  for (const uint64_t id : ids) EXPECT_EQ(errorOf(client->wait(id)), "");
}

TEST(Client, EndsWhileItsWorkerIsBusy) {
  // The test passes if it ends. Workers are busy, ignore input, or ignore even SIGTERM.
  {
    const auto client = startFake();
    client->run(order("wait"));
    awaitProgress(*client, "doing wait");
  }
  for (const char* manner : {"", "ignore-term"}) {
    const auto client = startFake(manner);
    client->run(order("hang"));
    awaitProgress(*client, "doing hang");
  }
}

TEST(Client, TwoClientsDoNotHoldEachOthersPipes) {
  // If the second worker inherited the first worker's pipes, the first worker would not see their
  // end.
  auto first = startFake();
  const auto second = startFake();
  EXPECT_EQ(errorFor(*first, "a"), "");
  first.reset();
  EXPECT_EQ(errorFor(*second, "b"), "");
}

}  // namespace tilestep::worker::client_test
