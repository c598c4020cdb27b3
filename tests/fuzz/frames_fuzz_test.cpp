// SPDX-License-Identifier: Apache-2.0
// Damaged streams and messages: no crash, no memory that was not sent, and what is accepted can be
// said again.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/allocation_guard.h"
#include "fuzz/mutate.h"
#include "unit/worker/samples.h"
#include "worker/frame.h"
#include "worker/messages.h"

namespace tilestep::worker {
namespace {

using fuzz::Bytes;
using fuzz::Mutator;

constexpr int kTrials = 6000;
/// Far above what any sample needs, far below what a length that lies asks for.
constexpr size_t kMostMemory = size_t{4} << 20;

std::vector<Bytes> samples() {
  Error error = requestError("no");
  error.where = TextLocation{"x.cu", 1, 2};
  return {encode(Request{1, Hello{1}}),
          encode(Request{2, RunRequest{sample::experiment()}}),
          encode(Request{3, CeilingsRequest{"cuda:0"}}),
          encode(Request{4, PtxRequest{sample::experiment(), true}}),
          encode(Answer{5, Stage{"compiling"}}),
          encode(Answer{6, sample::result()}),
          encode(Answer{7, DevicesReply{{sample::deviceInfo()}, "none"}}),
          encode(Answer{8, device::Ceilings{}}),
          encode(Answer{9, std::string("// PTX")}),
          encode(Answer{10, error})};
}

TEST(FuzzFrames, StreamsInPieces) {
  Mutator mutator(1);
  for (int trial = 0; trial < kTrials; ++trial) {
    Bytes stream;
    for (int i = 0; i < 3; ++i) {
      const Bytes body(mutator.pick(40), std::byte{7});
      const auto header = frameHeader(body.size());
      stream.insert(stream.end(), header.begin(), header.end());
      stream.insert(stream.end(), body.begin(), body.end());
    }
    mutator.change(stream);
    fuzz::resetLargestAllocation();
    FrameBuffer buffer;
    size_t received = 0;
    for (size_t at = 0; at < stream.size();) {
      const size_t count = std::min(1 + mutator.pick(30), stream.size() - at);
      if (!buffer.feed(std::span(stream).subspan(at, count))) break;
      at += count;
      while (const auto body = buffer.next()) received += body->size() + kHeaderBytes;
    }
    EXPECT_LE(received, stream.size());
    EXPECT_LT(fuzz::largestAllocation(), size_t{1} << 16);
  }
}

template <class Decode>
void decodeAndSayAgain(const Bytes& frame, Decode decode) {
  const auto message = decode(frame);
  if (!message) {
    EXPECT_FALSE(message.error().message.empty());
    return;
  }
  const Bytes again = encode(*message);
  const auto read = decode(again);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(encode(*read), again);
}

TEST(FuzzFrames, Messages) {
  const std::vector<Bytes> originals = samples();
  Mutator mutator(2);
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    Bytes frame = originals[mutator.pick(originals.size())];
    mutator.change(frame);
    decodeAndSayAgain(frame, decodeRequest);
    decodeAndSayAgain(frame, decodeAnswer);
    (void)idOf(frame);
  }
  EXPECT_LT(fuzz::largestAllocation(), kMostMemory);
}

TEST(FuzzFrames, PureNoise) {
  Mutator mutator(3);
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    Bytes frame(mutator.pick(64));
    for (std::byte& b : frame) b = static_cast<std::byte>(mutator.pick(256));
    // What the scanner passes, the parser must take without a word.
    if (checkCbor(frame)) {
      decodeAndSayAgain(frame, decodeRequest);
    }
    (void)decodeAnswer(frame);
  }
  EXPECT_LT(fuzz::largestAllocation(), kMostMemory);
}

}  // namespace
}  // namespace tilestep::worker
