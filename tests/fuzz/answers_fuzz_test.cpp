// SPDX-License-Identifier: Apache-2.0
// Answers of a worker with impossible values. Each is refused, or the window and the commands show
// its contents.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/files.h"
#include "fuzz/answer_changes.h"
#include "fuzz/changed_client.h"
#include "fuzz/checks.h"
#include "fuzz/found.h"
#include "fuzz/small_home.h"
#include "worker/messages.h"

namespace tilestep::fuzz::answers_fuzz_test {

using Bytes = std::vector<std::byte>;

Bytes randomOrders(std::mt19937& random) {
  Bytes orders(random() % 200);
  for (std::byte& order : orders) order = static_cast<std::byte>(random() & 0xff);
  return orders;
}

lab::Experiment experiment() {
  lab::Experiment e;
  e.source.path = "kernels/matmul_tiled.cu";
  e.source.text = readTextFile(smallHome() + "/" + e.source.path).value();
  e.sizes = {{"m", 8}, {"n", 8}, {"k", 8}};
  e.tunables = {{"TILE_WIDTH", 4}};
  e.device = "cuda:0";
  e.counters = e.timeline = e.timings = e.hardware = true;
  e.traceBlock = Dim3{0, 0, 0};
  return e;
}

TEST(FuzzAnswers, UnchangedAnswersAreAccepted) {
  AnswerChanges none({});
  const auto told = std::make_shared<ChangedClient::Told>();
  ChangedClient client(none, told);
  client.run(experiment());
  client.devices();
  client.ceilings("cuda:0");
  client.live(experiment());
  EXPECT_TRUE(client.samples(4));
  EXPECT_EQ(told->answers, 4U);
  EXPECT_EQ(told->refused, 0U);
  ASSERT_EQ(told->results.size(), 1U);
  const lab::RunResult& result = told->results.front();
  EXPECT_TRUE(result.trace && result.timeline && result.check && result.counters);
  EXPECT_EQ(checkAnswers({}), "");
}

TEST(FuzzAnswers, ChangesReachBothOutcomes) {
  std::mt19937 random(10);
  const Bytes message = encode(worker::Answer{1, lab::shared(fullResult(experiment()).value())});
  int refused = 0, other = 0;
  constexpr int kTrials = 400;
  for (int i = 0; i < kTrials; ++i) {
    const Bytes orders = randomOrders(random);
    AnswerChanges changes(orders);
    const Bytes changed = changes.changed(message);
    if (!worker::decodeAnswer(changed))
      ++refused;
    else if (changed != message)
      ++other;
  }
  EXPECT_GT(refused, kTrials / 10);
  EXPECT_GT(other, kTrials / 10);
}

TEST(FuzzAnswers, InputsFoundByLibFuzzerHold) {
  const auto found = foundInputs("answers");
  EXPECT_GT(found.size(), 10U);
  for (const Bytes& orders : found) EXPECT_EQ(checkAnswers(orders), "");
}

TEST(FuzzAnswers, RandomOrders) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 100; ++trial)
    ASSERT_EQ(checkAnswers(randomOrders(random)), "") << "trial " << trial;
}

}  // namespace tilestep::fuzz::answers_fuzz_test
