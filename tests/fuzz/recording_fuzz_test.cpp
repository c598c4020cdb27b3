// SPDX-License-Identifier: Apache-2.0
// Damaged recordings: no crash, no memory beyond what the file needs, and every accepted recording
// can be written again.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/checks.h"
#include "fuzz/mutate.h"
#include "fuzz/recording_changes.h"
#include "lab/recording/recording_file.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::lab::recording_fuzz_test {

namespace fs = std::filesystem;
using fuzz::Bytes;
using fuzz::Mutator;

constexpr int kTrials = 4000;
/// Far more than any sample needs, and far less than a forged count requests.
constexpr size_t kMostMemory = size_t{4} << 20;

const fs::path kCorpus = fs::path(support::sourceRoot()) / "tests/fuzz/corpus/recording";

Bytes bytesOf(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// The current version, and files of version 1: complete, without machines, and without points.
std::vector<Bytes> corpus() {
  std::vector<Bytes> all{bytesOf(encodeRecording(sample::recording()).value())};
  for (const char* name : {"whole.tsrec", "bare.tsrec", "none.tsrec", "before_machines.tsrec"}) {
    const auto text = readTextFile(kCorpus / name);
    EXPECT_TRUE(text) << name;
    if (text) all.push_back(bytesOf(*text));
  }
  return all;
}

TEST(FuzzRecording, TheCorpusIsReadable) {
  for (const Bytes& bytes : corpus()) {
    EXPECT_EQ(fuzz::checkRecordingBytes(bytes), "");
    const auto read =
        decodeRecording({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "x");
    EXPECT_TRUE(read) << read.error().message;
  }
}

TEST(FuzzRecording, MutationsWithAndWithoutARightChecksum) {
  const std::vector<Bytes> all = corpus();
  ASSERT_FALSE(all.empty());
  Mutator mutator(1);
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    Bytes bytes = all[mutator.pick(all.size())];
    mutator.change(bytes);
    if (trial % 4 != 0) bytes = bytesOf(fuzz::withChecksum(bytes));
    ASSERT_EQ(fuzz::checkRecordingBytes(bytes), "") << "trial " << trial;
  }
  EXPECT_LT(fuzz::largestAllocation(), kMostMemory);
}

/// The points are compressed, so only changes made before compression reach the later checks.
TEST(FuzzRecording, ForgedValues) {
  const std::string whole = encodeRecording(sample::recording()).value();
  const auto same = valueOrThrow(decodeRecording(fuzz::changedRecording(whole, {}), "x"));
  EXPECT_EQ(encodeRecording(same).value(), whole);
  Mutator mutator(2);
  int accepted = 0;
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials / 8; ++trial) {
    Bytes orders;
    for (size_t i = 4 + mutator.pick(16); i > 0; --i)
      orders.push_back(static_cast<std::byte>(mutator.pick(256)));
    const std::string text = fuzz::changedRecording(whole, orders);
    ASSERT_EQ(fuzz::checkRecordingBytes(bytesOf(text)), "") << "trial " << trial;
    if (decodeRecording(text, "x")) ++accepted;
  }
  EXPECT_LT(fuzz::largestAllocation(), kMostMemory);
  EXPECT_GT(accepted, kTrials / 100) << "changes must get past the first checks";
}

TEST(FuzzRecording, PureNoiseBehindARightBeginning) {
  const std::string whole = encodeRecording(sample::recording()).value();
  Mutator mutator(3);
  for (int trial = 0; trial < kTrials; ++trial) {
    Bytes bytes = bytesOf(whole.substr(0, 8 + mutator.pick(64)));
    for (size_t i = mutator.pick(64); i > 0; --i)
      bytes.push_back(static_cast<std::byte>(mutator.pick(256)));
    ASSERT_EQ(fuzz::checkRecordingBytes(bytesOf(fuzz::withChecksum(bytes))), "") << trial;
  }
}

}  // namespace tilestep::lab::recording_fuzz_test
