// SPDX-License-Identifier: Apache-2.0
#include "worker/client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace tilestep::worker {
namespace {

std::unique_ptr<Client> startFake(const std::string& manner = "") {
  auto client = Client::start({std::string("'") + FAKE_WORKER + "' " + manner, 0});
  EXPECT_TRUE(client);
  return client ? std::move(*client) : nullptr;
}

lab::Experiment order(const std::string& text) {
  lab::Experiment experiment;
  experiment.source.text = text;
  return experiment;
}

std::string errorOf(const Reply& reply) {
  const auto* error = std::get_if<Error>(&reply.body);
  return error ? error->message : "";
}

/// Until the worker has said that it is doing `stage`.
void awaitProgress(Client& client, const std::string& stage) {
  while (true) {
    const auto progress = client.progress();
    if (progress && progress->stage == stage) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

TEST(Client, EachKindOfRequestIsAnswered) {
  const auto client = startFake();
  const uint64_t run = client->run(order("something"));
  const uint64_t devices = client->devices();
  const uint64_t ceilings = client->ceilings("cuda:0");
  const uint64_t ptx = client->ptx(order("text"), true);
  EXPECT_EQ(std::get<std::string>(client->wait(ptx).body), "text instrumented");
  EXPECT_EQ(std::get<device::Ceilings>(client->wait(ceilings).body).device, "cuda:0");
  EXPECT_EQ(std::get<DevicesReply>(client->wait(devices).body).devices[0].id, "simt");
  EXPECT_EQ(std::get<lab::Result>(client->wait(run).body).kernel, "something");
  EXPECT_EQ(client->poll(), std::nullopt) << "each is handed out once";
}

TEST(Client, PollGivesAnswersInTheirOrder) {
  const auto client = startFake();
  const uint64_t first = client->run(order("a"));
  const uint64_t second = client->run(order("b"));
  const uint64_t third = client->devices();
  client->wait(third);
  const auto a = client->poll(), b = client->poll();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->id, first);
  EXPECT_EQ(b->id, second);
  EXPECT_FALSE(client->poll());
}

TEST(Client, ErrorsOfTheWorkArriveAsTheyAre) {
  const auto client = startFake();
  const Reply failed = client->wait(client->run(order("fail")));
  EXPECT_EQ(errorOf(failed), "TILE_WIDTH is 64; at most 32");
  EXPECT_EQ(std::get<Error>(failed.body).kind, ErrorKind::request);
  EXPECT_EQ(errorOf(client->wait(client->run(order("throw")))),
            "the worker failed: a library threw");
}

TEST(Client, WhatALibraryPrintsDoesNotHurt) {
  const auto client = startFake();
  EXPECT_EQ(std::get<lab::Result>(client->wait(client->run(order("print"))).body).kernel, "print");
}

TEST(Client, LargeAnswersArriveWhole) {
  const auto client = startFake();
  const Reply reply = client->wait(client->run(order("large")));
  EXPECT_EQ(std::get<lab::Result>(reply.body).pictures[0].values.size(), size_t{1} << 20);
}

TEST(Client, CancelEndsARunAndKeepsTheOthers) {
  const auto client = startFake();
  const uint64_t first = client->run(order("wait"));
  const uint64_t second = client->run(order("wait"));
  const uint64_t third = client->run(order("done"));
  awaitProgress(*client, "doing wait");
  client->cancel(second);
  EXPECT_NE(errorOf(client->wait(second)).find("cancelled"), std::string::npos);
  client->cancel(first);
  EXPECT_EQ(errorOf(client->wait(first)), "cancelled as asked");
  EXPECT_EQ(std::get<lab::Result>(client->wait(third).body).kernel, "done");
  client->cancel(third);
}

TEST(Client, AWorkerThatExitsLosesWhatItDidAndAnotherDoesTheRest) {
  const auto client = startFake();
  EXPECT_EQ(std::get<lab::Result>(client->wait(client->run(order("a"))).body).outputHash, 1U);
  const uint64_t doomed = client->run(order("exit"));
  const uint64_t behind = client->devices();
  EXPECT_EQ(errorOf(client->wait(doomed)), "the worker ended with exit status 3: out of luck");
  EXPECT_EQ(std::get<DevicesReply>(client->wait(behind).body).devices[0].id, "simt");
  const Reply again = client->wait(client->run(order("b")));
  EXPECT_EQ(std::get<lab::Result>(again.body).outputHash, 1U) << "a new process counts anew";
}

TEST(Client, ASignalIsNamed) {
  const auto client = startFake();
  const std::string error = errorOf(client->wait(client->run(order("crash"))));
  // A sanitizer turns the signal into an exit of its own.
  EXPECT_TRUE(error.find("signal SIGSEGV") != std::string::npos ||
              error.find("exit status") != std::string::npos)
      << error;
}

TEST(Client, AWorkerThatNeverSpeaksIsExplained) {
  const auto client = startFake("leave");
  EXPECT_EQ(errorOf(client->wait(client->devices())),
            "the worker ended with exit status 7: no such module");
}

TEST(Client, AWorkerThatSaysSomethingElseIsExplained) {
  const auto client = startFake("greet");
  const std::string error = errorOf(client->wait(client->devices()));
  EXPECT_NE(error.find("Welcome to the"), std::string::npos) << error;
  // It is tried anew, and says the same.
  EXPECT_NE(errorOf(client->wait(client->devices())).find("Welcome"), std::string::npos);
}

TEST(Client, ACommandThatCannotStartIsARequestError) {
  const auto missing = Client::start({"/no/such/program worker", 0});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::request);
  EXPECT_NE(missing.error().message.find("/no/such/program"), std::string::npos);
  EXPECT_FALSE(Client::start({"'unclosed", 0}));
}

TEST(Client, WaitingForNothingReturns) {
  const auto client = startFake();
  EXPECT_NE(errorOf(client->wait(12345)).find("not open"), std::string::npos);
}

TEST(Client, GoesAwayWhileItsWorkerIsBusy) {
  // Nothing to assert but the end: a worker at work, one that hears nothing, one that does not
  // even hear SIGTERM.
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
  // Were the second worker to inherit the first one's pipes, the first would not see its end.
  auto first = startFake();
  const auto second = startFake();
  EXPECT_EQ(errorOf(first->wait(first->run(order("a")))), "");
  first.reset();
  EXPECT_EQ(errorOf(second->wait(second->run(order("b")))), "");
}

}  // namespace
}  // namespace tilestep::worker
