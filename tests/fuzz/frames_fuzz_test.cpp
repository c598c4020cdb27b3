// SPDX-License-Identifier: Apache-2.0
// Damaged streams and messages: no crash, no allocation beyond what was sent, and every accepted
// message can be sent again. The corpus is a folder of streams (corpus/frames) with one of each
// kind of message. TILESTEP_WRITE_CORPUS=1 writes it again after a change of messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/bytes.h"
#include "base/files.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/checks.h"
#include "fuzz/found.h"
#include "fuzz/mutate.h"
#include "support/source_root.h"
#include "unit/worker/samples.h"
#include "worker/frame.h"
#include "worker/messages.h"

namespace tilestep::worker::frames_fuzz_test {

namespace fs = std::filesystem;
using fuzz::Bytes;
using fuzz::Mutator;

constexpr int kTrials = 5000;
/// Far more than any sample needs, and far less than a forged length requests.
constexpr size_t kMostMemory = size_t{4} << 20;

const fs::path kCorpus = fs::path(support::sourceRoot()) / "tests/fuzz/corpus/frames";

struct Sample {
  std::string name;
  Bytes body;
};

/// One message of each kind.
std::vector<Sample> samples() {
  Error error = requestError("no");
  error.where = TextLocation{"x.cu", 1, 2};
  return {{"hello", encode(Request{1, Hello{kProtocolVersion}})},
          {"run", encode(Request{2, RunRequest{sample::experiment()}})},
          {"devices", encode(Request{3, DevicesRequest{}})},
          {"ceilings", encode(Request{4, CeilingsRequest{"cuda:0"}})},
          {"ptx", encode(Request{5, PtxRequest{sample::experiment(), true}})},
          {"cancel", encode(Request{6, CancelRequest{}})},
          {"welcome", encode(Answer{7, Hello{kProtocolVersion}})},
          {"begun", encode(Answer{8, Begun{}})},
          {"progress", encode(Answer{9, Stage{"compiling", 0.5}})},
          {"result", encode(Answer{10, lab::shared(sample::result())})},
          {"devices_reply", encode(Answer{11, DevicesReply{{sample::deviceInfo()}, "none"}})},
          {"ceilings_reply", encode(Answer{12, device::Ceilings{}})},
          {"text", encode(Answer{13, std::string("// PTX")})},
          {"error", encode(Answer{14, error})},
          {"beat", encode(Answer{0, Beat{}})},
          {"live", encode(Request{15, LiveRequest{sample::experiment()}})},
          {"samples", encode(Answer{16, sample::liveBatch()})}};
}

Bytes framed(const Bytes& body) {
  ByteWriter stream;
  stream.putBytes(frameHeader(body.size()));
  stream.putBytes(body);
  stream.putBytes(std::span(&kFrameEnd, 1));
  return stream.take();
}

void writeCorpus() {
  fs::create_directories(kCorpus);
  for (const Sample& sample : samples()) {
    const Bytes stream = framed(sample.body);
    std::ofstream file(kCorpus / (sample.name + ".bin"), std::ios::binary);
    file.write(reinterpret_cast<const char*>(stream.data()),
               static_cast<std::streamsize>(stream.size()));
  }
  // A login's output before the frames, and heartbeats between them.
  const Bytes hello = framed(samples()[6].body), beat = framed(samples()[14].body);
  std::ofstream noisy(kCorpus / "greeting.bin", std::ios::binary);
  noisy << "\r\nWelcome to the TSW cluster\nTSW";
  for (const Bytes& stream : {hello, beat, beat}) {
    noisy.write(reinterpret_cast<const char*>(stream.data()),
                static_cast<std::streamsize>(stream.size()));
  }
}

std::vector<Bytes> corpus() {
  if (std::getenv("TILESTEP_WRITE_CORPUS")) writeCorpus();
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(kCorpus)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Bytes> streams;
  for (const fs::path& path : paths) {
    const auto text = readTextFile(path);
    if (!text) continue;
    const auto bytes = std::as_bytes(std::span(text->data(), text->size()));
    streams.emplace_back(bytes.begin(), bytes.end());
  }
  return streams;
}

/// Corrects the length of the stream's first frame, so that more damage reaches the decoders.
void repairLength(Bytes& stream) {
  if (stream.size() <= kHeaderBytes) return;
  const auto header = frameHeader(stream.size() - kHeaderBytes - 1);
  std::copy(header.begin(), header.end(), stream.begin());
}

TEST(FuzzFrames, TheCorpusHoldsAndKnowsEveryMessage) {
  const std::vector<Bytes> streams = corpus();
  for (const Bytes& stream : streams) EXPECT_EQ(fuzz::checkFrames(stream), "");
  for (const Sample& sample : samples()) {
    const Bytes stream = framed(sample.body);
    EXPECT_NE(std::ranges::find(streams, stream), streams.end())
        << sample.name << " has changed: run with TILESTEP_WRITE_CORPUS=1";
  }
}

TEST(FuzzFrames, InputsFoundByLibFuzzerHold) {
  const std::vector<Bytes> found = fuzz::foundInputs("frames");
  EXPECT_GT(found.size(), 20U);
  for (const Bytes& stream : found) EXPECT_EQ(fuzz::checkFrames(stream), "");
}

TEST(FuzzFrames, MutationsOfTheCorpus) {
  const std::vector<Bytes> streams = corpus();
  ASSERT_FALSE(streams.empty());
  Mutator mutator(1);
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    Bytes stream = streams[mutator.pick(streams.size())];
    mutator.change(stream);
    if (trial % 2 == 0) repairLength(stream);
    ASSERT_EQ(fuzz::checkFrames(stream), "") << "trial " << trial;
  }
  EXPECT_LT(fuzz::largestAllocation(), kMostMemory);
}

TEST(FuzzFrames, FramesAfterOneAnother) {
  const std::vector<Bytes> streams = corpus();
  Mutator mutator(2);
  for (int trial = 0; trial < kTrials / 5; ++trial) {
    Bytes stream;
    for (size_t i = 0; i < 3; ++i) {
      const Bytes& next = streams[mutator.pick(streams.size())];
      stream.insert(stream.end(), next.begin(), next.end());
    }
    mutator.change(stream);
    ASSERT_EQ(fuzz::checkFrames(stream), "") << "trial " << trial;
  }
}

TEST(FuzzFrames, PureNoise) {
  Mutator mutator(3);
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    Bytes stream(mutator.pick(64));
    for (std::byte& b : stream) b = static_cast<std::byte>(mutator.pick(256));
    ASSERT_EQ(fuzz::checkFrames(stream), "") << "trial " << trial;
  }
  EXPECT_LT(fuzz::largestAllocation(), kMostMemory);
}

}  // namespace tilestep::worker::frames_fuzz_test
