// SPDX-License-Identifier: Apache-2.0
#include "session/requests.h"

#include <gtest/gtest.h>

#include "unit/session/fake_client.h"

namespace tilestep::session {
namespace {

class RequestsTest : public ::testing::Test {
 protected:
  RequestsTest() { requests.connect(std::make_unique<FakeClient>(log)); }

  static lab::Experiment experiment(int64_t tile) {
    lab::Experiment e;
    e.source = compile::findKernel(TILESTEP_SOURCE_DIR "/kernels", "matmul_tiled").value();
    e.tunables = {{"TILE_WIDTH", tile}};
    e.sizes = {{"m", 8}, {"n", 8}, {"k", 8}};
    return e;
  }

  std::shared_ptr<FakeClient::Log> log = std::make_shared<FakeClient::Log>();
  Requests requests;
};

TEST_F(RequestsTest, ANewerRequestReplacesOneThatWaits) {
  requests.want(Slot::sceneMain, experiment(2), 0);
  requests.want(Slot::sceneMain, experiment(4), 0);
  requests.poll(0);
  ASSERT_EQ(log->runs.size(), 1U);
  EXPECT_EQ(log->runs[0].experiment.tunables.at("TILE_WIDTH"), 4);
}

TEST_F(RequestsTest, ANewerRequestCancelsTheRunningOneAndItsAnswerIsDropped) {
  requests.want(Slot::sceneMain, experiment(2), 0);
  requests.poll(0);
  const uint64_t first = log->runs[0].id;
  requests.want(Slot::sceneMain, experiment(4), 0);
  EXPECT_TRUE(log->isCancelled(first));
  requests.poll(0);
  log->answerRuns();
  const std::vector<Arrival> arrivals = requests.poll(0);
  ASSERT_EQ(arrivals.size(), 1U);
  EXPECT_EQ(arrivals[0].key, keyOf(experiment(4)));
  EXPECT_FALSE(requests.busy());
}

TEST_F(RequestsTest, TheSameRequestTwiceRunsOnce) {
  requests.want(Slot::sceneMain, experiment(2), 0);
  requests.poll(0);
  requests.want(Slot::sceneMain, experiment(2), 0);
  requests.poll(0);
  EXPECT_EQ(log->runs.size(), 1U);
  EXPECT_TRUE(log->cancelled.empty());
}

TEST_F(RequestsTest, ARequestWaitsUntilItIsDue) {
  requests.want(Slot::measureMain, experiment(2), 0.5);
  requests.poll(0.4);
  EXPECT_TRUE(log->runs.empty());
  EXPECT_EQ(requests.nextDue(), 0.5);
  requests.poll(0.5);
  EXPECT_EQ(log->runs.size(), 1U);
}

TEST_F(RequestsTest, ScenesGoBeforeMeasurements) {
  requests.want(Slot::measureMain, experiment(2), 0);
  requests.want(Slot::sceneMain, experiment(4), 0);
  requests.poll(0);
  ASSERT_EQ(log->runs.size(), 2U);
  EXPECT_EQ(log->runs[0].experiment.tunables.at("TILE_WIDTH"), 4);
}

TEST_F(RequestsTest, ASceneInterruptsACountWhichIsAskedAgain) {
  requests.want(Slot::count, experiment(8), 0);
  requests.poll(0);
  const uint64_t count = log->runs[0].id;
  requests.want(Slot::sceneMain, experiment(4), 0);
  requests.poll(0);
  EXPECT_TRUE(log->isCancelled(count));
  log->answerRuns();
  const std::vector<Arrival> arrivals = requests.poll(0);
  ASSERT_EQ(arrivals.size(), 1U);
  EXPECT_EQ(arrivals[0].slot, Slot::sceneMain);
  requests.poll(0);
  ASSERT_EQ(log->runs.size(), 1U);
  EXPECT_EQ(log->runs[0].experiment.tunables.at("TILE_WIDTH"), 8);
}

TEST_F(RequestsTest, DroppingForgetsAndCancels) {
  requests.want(Slot::count, experiment(8), 0);
  requests.poll(0);
  requests.drop(Slot::count);
  EXPECT_TRUE(log->isCancelled(log->runs[0].id));
  log->answerRuns();
  EXPECT_TRUE(requests.poll(0).empty());
  EXPECT_FALSE(requests.busy());
}

TEST_F(RequestsTest, KeysTellExperimentsApart) {
  lab::Experiment a = experiment(4);
  lab::Experiment b = a;
  EXPECT_EQ(keyOf(a), keyOf(b));
  b.traceBlock = Dim3{1, 0, 0};
  EXPECT_NE(keyOf(a), keyOf(b));
  b = a;
  b.source.text += " ";
  EXPECT_NE(keyOf(a), keyOf(b));
}

}  // namespace
}  // namespace tilestep::session
