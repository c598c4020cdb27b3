// SPDX-License-Identifier: Apache-2.0
// Damaged recordings: no crash, no memory that was not sent, and what is accepted can be written
// again. The corpus (corpus/recording) is written again with TILESTEP_WRITE_CORPUS=1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/mutate.h"
#include "fuzz/recording_changes.h"
#include "fuzz/recording_check.h"
#include "lab/recording/recording_file.h"
#include "support/source_root.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::lab {
namespace recording_fuzz_test {

namespace fs = std::filesystem;
using fuzz::Bytes;
using fuzz::Mutator;

constexpr int kTrials = 4000;
/// Far above what any sample needs, far below what a number that lies asks for.
constexpr size_t kMostMemory = size_t{4} << 20;

const fs::path kCorpus = fs::path(support::sourceRoot()) / "tests/fuzz/corpus/recording";

struct Sample {
  const char* name;
  DeviceRecording recording;
};

std::vector<Sample> samples() {
  DeviceRecording bare = sample::recording();
  bare.ceilings.reset();
  for (RecordedPoint& point : bare.points) {
    point.counters.reset();
    point.machineCode.reset();
    point.timeline.reset();
  }
  bare.machines.clear();
  for (RecordedPoint& point : bare.points) point.machine = 0;
  DeviceRecording none = bare;
  none.points.clear();
  none.kernels.clear();
  return {{"whole.tsrec", sample::recording()}, {"bare.tsrec", bare}, {"none.tsrec", none}};
}

Bytes bytesOf(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::vector<Bytes> corpus() {
  std::vector<Bytes> all;
  for (const Sample& sample : samples()) {
    const fs::path file = kCorpus / sample.name;
    if (std::getenv("TILESTEP_WRITE_CORPUS") != nullptr) {
      EXPECT_TRUE(writeFileAtomically(file, encodeRecording(sample.recording).value()));
    }
    const auto text = readTextFile(file);
    EXPECT_TRUE(text) << "run with TILESTEP_WRITE_CORPUS=1";
    if (text) all.push_back(bytesOf(*text));
  }
  // Written before machines were named, and never again.
  const auto older = readTextFile(kCorpus / "before_machines.tsrec");
  EXPECT_TRUE(older);
  if (older) all.push_back(bytesOf(*older));
  return all;
}

TEST(FuzzRecording, TheCorpusHoldsAndIsOfThisVersion) {
  for (const Bytes& bytes : corpus()) {
    EXPECT_EQ(fuzz::checkRecordingBytes(bytes), "");
    EXPECT_TRUE(decodeRecording({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "x"));
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

/// Columns are packed: only changes of their plain numbers get to the checks behind them.
TEST(FuzzRecording, NumbersAndListsThatLie) {
  const std::string whole = encodeRecording(sample::recording()).value();
  const auto same = decodeRecording(fuzz::changedRecording(whole, {}), "x");
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(encodeRecording(*same).value(), whole);
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

/// Text that lies in the table of machines, behind a right checksum: short values in its place, of
/// the same length, so that columns stay where they were.
TEST(FuzzRecording, MachinesThatLie) {
  const std::string whole = encodeRecording(sample::recording()).value();
  const std::string key = "\"machines\": ";
  const size_t from = whole.find(key) + key.size(), to = whole.find('\n', from);
  ASSERT_LT(to, whole.size());
  const char* const telling[] = {"null",
                                 "[]",
                                 "{}",
                                 "7",
                                 "-1",
                                 "1e999",
                                 "[[[[[[[[",
                                 "\"\\u0000\"",
                                 "\"",
                                 "]",
                                 "}",
                                 "true",
                                 "18446744073709551616"};
  Mutator mutator(4);
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials / 4; ++trial) {
    std::string text = whole;
    for (size_t i = 1 + mutator.pick(3); i > 0; --i) {
      const std::string lie = telling[mutator.pick(std::size(telling))];
      text.replace(from + mutator.pick(to - from - lie.size()), lie.size(), lie);
    }
    ASSERT_EQ(text.size(), whole.size());
    ASSERT_EQ(fuzz::checkRecordingBytes(bytesOf(fuzz::withChecksum(bytesOf(text)))), "") << trial;
  }
  EXPECT_LT(fuzz::largestAllocation(), kMostMemory);
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

}  // namespace recording_fuzz_test
}  // namespace tilestep::lab
