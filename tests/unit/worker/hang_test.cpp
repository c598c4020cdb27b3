// SPDX-License-Identifier: Apache-2.0
// Hanging workers are ended, the caller learns why, and the next request works.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "support/service.h"
#include "unit/worker/fakes.h"

namespace tilestep::worker::hang_test {

Patience shortPatience() {
  Patience patience;
  patience.silence = 2;  // Longer than the interval between beats.
  patience.grace = 0.2;
  patience.cancel = 0.3;
  patience.untimed = 0.2;
  return patience;
}

void expectNextWorks(Client& client) {
  EXPECT_EQ(errorFor(client, "a"), "");
}

TEST(Hang, AStoppedWorkerIsEnded) {
  const auto client = startFake("", shortPatience());
  const uint64_t stopped = client->run(order("stop"));
  const uint64_t behind = client->run(order("b"));
  const Reply reply = client->wait(stopped);
  EXPECT_TRUE(reply.lost);
  EXPECT_EQ(errorOf(reply),
            "the worker sent nothing for 2.00 s and was ended. It was stopped, its machine is "
            "overloaded, or the connection broke. The next request starts a new worker");
  EXPECT_EQ(errorOf(client->wait(behind)), "")
      << "requests that it had not begun go to another worker";
}

TEST(Hang, StuckWorkIsEndedAfterItsLimitAndGrace) {
  const auto client = startFake("", shortPatience());
  const Reply reply = client->wait(client->run(order("hang", 0.3)));
  EXPECT_EQ(errorOf(reply),
            "the worker was stuck while doing hang for 500 ms and was ended; make the request "
            "smaller, or allow more with --timeout");
  expectNextWorks(*client);
}

TEST(Hang, WorkersThatIgnoreSigtermAreEnded) {
  const auto client = startFake("ignore-term", shortPatience());
  EXPECT_NE(errorFor(*client, "hang", 0.3), "");
  expectNextWorks(*client);
}

TEST(Hang, LongWorkWithBeatsIsNotEnded) {
  Patience patience = shortPatience();
  const auto client = startFake("", patience);
  const uint64_t id = client->run(order("wait"));
  // Longer than the allowed silence. The worker sends only beats.
  std::this_thread::sleep_for(std::chrono::milliseconds(2600));
  EXPECT_FALSE(client->poll());
  client->cancel(id);
  EXPECT_EQ(errorOf(client->wait(id)), "cancelled as asked");
}

/// Whether the process is gone, or a zombie.
bool isGone(const std::string& process) {
  std::ifstream file("/proc/" + process + "/stat");
  std::string text;
  if (!std::getline(file, text)) return true;
  return text[text.rfind(')') + 2] == 'Z';
}

TEST(Hang, ProcessesOfAWorkerEndWithIt) {
  // The shell and its child are one process group. Ending only the shell would leave the child
  // stopped.
  const std::string command = "sh -c '\"" + fakeWorker() + "\"; true'";
  auto client = Client::start({command, 0, shortPatience()});
  ASSERT_TRUE(client);
  const uint64_t id = (*client)->run(order("name process, hang"));
  std::optional<Progress> named;
  while (!named || named->stage.starts_with("doing")) named = (*client)->progress();
  ASSERT_FALSE(isGone(named->stage));
  ::kill(std::stoi(named->stage), SIGSTOP);
  EXPECT_TRUE((*client)->wait(id).lost);
  EXPECT_TRUE(support::becomesTrue(60, [&] { return isGone(named->stage); }));
}

}  // namespace tilestep::worker::hang_test
