// SPDX-License-Identifier: Apache-2.0
// Streams of live samples are bounded, and end when cancelled or with the worker.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "support/results.h"
#include "unit/worker/fakes.h"
#include "worker/live_queue.h"
#include "worker/messages.h"

namespace tilestep::worker::live_test {

device::LiveBatch batchOf(size_t samples, double startMs = 0) {
  device::LiveBatch batch;
  batch.startMs = startMs;
  for (size_t i = 0; i < samples; ++i) {
    batch.atMs.push_back(static_cast<float>(i));
    batch.ms.push_back(0.5F);
  }
  batch.launches = samples;
  return batch;
}

Result<Answer> sent(const device::LiveBatch& batch) {
  return decodeAnswer(encode(Answer{3, batch}));
}

TEST(LiveQueue, KeepsTheNewestAndCountsDroppedSamples) {
  LiveQueue queue(25);
  for (int i = 0; i < 5; ++i) queue.add(batchOf(10, i * 10));
  const auto first = queue.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->startMs, 30);
  EXPECT_EQ(first->dropped, 30U);
  EXPECT_EQ(first->launches, 40U);
}

TEST(LiveMessages, SamplesRoundTrip) {
  device::LiveBatch batch = batchOf(3, 1234.5);
  batch.every = 4;
  batch.dropped = 7;
  batch.clockMhz = 1980;
  const auto answer = valueOrThrow(sent(batch));
  EXPECT_EQ(std::get<device::LiveBatch>(answer.body), batch);
  EXPECT_TRUE(sent(device::LiveBatch{}));
}

TEST(LiveMessages, ImpossibleValuesAreRefused) {
  const auto refused = [](const auto& damage) {
    device::LiveBatch batch = batchOf(3);
    damage(batch);
    return !sent(batch);
  };
  EXPECT_TRUE(refused([](auto& b) { b.ms.pop_back(); }));
  EXPECT_TRUE(refused([](auto& b) { b.ms[1] = 0; }));
  EXPECT_TRUE(refused([](auto& b) { b.ms[1] = std::numeric_limits<float>::quiet_NaN(); }));
  EXPECT_TRUE(refused([](auto& b) { b.atMs[2] = 0.5F; })) << "earlier than the previous sample";
  EXPECT_TRUE(refused([](auto& b) { b.every = 0; }));
  EXPECT_TRUE(refused([](auto& b) { b.startMs = -1; }));
  EXPECT_TRUE(refused([](auto& b) { b.clockMhz = 0; }));
  EXPECT_TRUE(refused([](auto& b) { b = batchOf(device::LiveBatch::kMostSamples + 1); }));
}

std::optional<device::LiveBatch> nextOf(Client& client, uint64_t id) {
  for (int i = 0; i < 5000; ++i) {
    if (auto batch = client.samples(id)) return batch;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return std::nullopt;
}

TEST(LiveClient, StreamsUntilItIsCancelled) {
  const auto client = startFake();
  const uint64_t id = client->live(order("stream"));
  for (int i = 0; i < 5; ++i) {
    const auto batch = nextOf(*client, id);
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->ms.size(), 10U);
  }
  EXPECT_FALSE(client->poll()) << "the request is open";
  client->cancel(id);
  const Reply reply = client->wait(id);
  EXPECT_EQ(errorOf(reply), "cancelled as asked");
  EXPECT_FALSE(reply.lost);
  EXPECT_EQ(errorFor(*client, "fail"), "TILE_WIDTH is 64; at most 32") << "the worker continues";
}

TEST(LiveClient, UnreadSamplesAreBounded) {
  const auto client = startFake();
  const uint64_t id = client->live(order("flood of samples"));
  uint64_t dropped = 0;
  for (int i = 0; i < 5000 && dropped == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    // Some batches are read, because each has the number of samples dropped before it.
    if (i % 50 == 49)
      if (const auto batch = client->samples(id)) dropped += batch->dropped;
  }
  EXPECT_GT(dropped, 0U);
  client->cancel(id);
  EXPECT_EQ(errorOf(client->wait(id)), "cancelled as asked");
}

TEST(LiveClient, AMissingLiveModeIsAnError) {
  const auto client = startFake();
  EXPECT_EQ(errorOf(client->wait(client->live(order("refuse")))),
            "live mode needs a GPU, and this is a test");
}

}  // namespace tilestep::worker::live_test
