// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "base/files.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::lab::recording_file_test {

std::string bytesOf(const DeviceRecording& recording) {
  return encodeRecording(recording).value();
}

std::string refusalOf(const std::string& bytes) {
  const auto decoded = decodeRecording(bytes, "x.tsrec");
  if (decoded) return "";
  EXPECT_EQ(decoded.error().kind, ErrorKind::request);
  EXPECT_TRUE(decoded.error().message.starts_with("x.tsrec is refused: "))
      << decoded.error().message;
  return decoded.error().message;
}

/// Why the sample is refused after `change`.
template <class Change>
std::string refusalAfter(Change change) {
  DeviceRecording recording = sample::recording();
  change(recording);
  return refusalOf(bytesOf(recording));
}

TEST(RecordingFile, RoundTrips) {
  const DeviceRecording recording = sample::recording();
  const auto read = valueOrThrow(decodeRecording(bytesOf(recording), "x"));
  EXPECT_EQ(bytesOf(read), bytesOf(recording));
  EXPECT_EQ(read.kernels, recording.kernels);
  EXPECT_EQ(read.device.recordedOn, "2026-11-21");
  EXPECT_EQ(read.device.name, recording.device.name);
  EXPECT_EQ(read.device.driver, recording.device.driver);
  EXPECT_EQ(read.device.limits.maxGrid, recording.device.limits.maxGrid);
  EXPECT_EQ(read.ceilings->fp32FlopPerSecond, 6.5e13);
  EXPECT_FALSE(read.ceilings->l1BytesPerSecond);
  EXPECT_EQ(read.began, recording.began);
  ASSERT_EQ(read.points.size(), 3U);
  const RecordedPoint& first = read.points[0];
  EXPECT_EQ(first.sizes, recording.points[0].sizes);
  EXPECT_EQ(first.tunables, recording.points[0].tunables);
  EXPECT_EQ(first.launchHash, recording.points[0].launchHash);
  EXPECT_EQ(first.unixSeconds, recording.points[0].unixSeconds);
  EXPECT_EQ(first.machineCode->spillStoreBytes, 0U);
  EXPECT_FALSE(first.machineCode->spillLoadBytes);
  EXPECT_EQ(first.measurement->medianMs, 0.0051);
  EXPECT_EQ(first.measurement->powerWatts, 431.5);
  EXPECT_EQ(first.counters, recording.points[0].counters);
  EXPECT_EQ(first.hardware, recording.points[0].hardware);
  EXPECT_EQ(first.timeline, recording.points[0].timeline);
  EXPECT_EQ(first.timings, recording.points[0].timings);
  EXPECT_TRUE(read.points[1].timings.empty());
  EXPECT_EQ(read.points[1].timelineNote, recording.points[1].timelineNote);
  EXPECT_FALSE(read.points[2].counters);
}

TEST(RecordingFile, MachinesOfRecordingAndPointsRoundTrip) {
  const auto read = valueOrThrow(decodeRecording(bytesOf(sample::recording()), "x"));
  ASSERT_EQ(read.machines.size(), 2U);
  EXPECT_EQ(read.machines[0].name, "NVIDIA Test");
  EXPECT_EQ(read.machines[0].identity, "0123456789abcdef");
  EXPECT_EQ(read.machines[0].driver, "580.1, CUDA 13.0");
  EXPECT_EQ(read.machines[0].began, "2026-11-21T12:30:00Z");
  ASSERT_TRUE(read.machines[0].ceilings);
  EXPECT_EQ(read.machines[0].ceilings->fp32FlopPerSecond, 6.5e13);
  EXPECT_FALSE(read.machines[0].ceilings->l1BytesPerSecond);
  EXPECT_EQ(read.machines[1].identity, "");
  EXPECT_FALSE(read.machines[1].ceilings);
  EXPECT_EQ(read.points[0].machine, 1U);
  EXPECT_EQ(read.points[1].machine, 2U);
  EXPECT_EQ(read.points[2].machine, 0U);
}

std::string corpusFile(const char* name) {
  return support::sourceRoot() + "/tests/fuzz/corpus/recording/" + name;
}

TEST(RecordingFile, Version1IsReadWithOrWithoutMachines) {
  const auto read = valueOrThrow(readRecording(corpusFile("whole.tsrec")));
  EXPECT_EQ(bytesOf(read), bytesOf(sample::recording()));
  const auto header = valueOrThrow(readRecordingHeader(corpusFile("whole.tsrec")));
  EXPECT_EQ(header.device.name, "NVIDIA Test");
  EXPECT_EQ(header.machines.size(), 2U);
  EXPECT_TRUE(header.points.empty());
  // The earliest files have no machines, so the machine of each point is unknown.
  const auto early = valueOrThrow(readRecording(corpusFile("before_machines.tsrec")));
  EXPECT_TRUE(early.machines.empty());
  EXPECT_EQ(early.points.size(), 3U);
  for (const RecordedPoint& point : early.points) {
    EXPECT_EQ(point.machine, 0U);
    EXPECT_TRUE(point.timings.empty());
  }
}

TEST(RecordingFile, OddTimesEmptyFilesAndControlCharactersRoundTrip) {
  DeviceRecording recording = sample::recording();
  recording.points[0].timeline->endNs = {97, 128};
  const auto read = valueOrThrow(decodeRecording(bytesOf(recording), "x"));
  EXPECT_EQ(read.points[0].timeline, recording.points[0].timeline);
  DeviceRecording empty = sample::recording();
  empty.points.clear();
  empty.kernels.clear();
  EXPECT_EQ(refusalOf(bytesOf(empty)), "");
  // Strings of a file are shown in terminals and in the window, so control characters are escaped.
  DeviceRecording odd = sample::recording();
  odd.device.name = "a\x1b[2Jb";
  const auto escaped = valueOrThrow(decodeRecording(bytesOf(odd), "x"));
  EXPECT_EQ(escaped.device.name, "a\\x1b[2Jb");
}

TEST(RecordingFile, TruncatedAndCorruptedFilesAreRefused) {
  const std::string whole = bytesOf(sample::recording());
  for (size_t at = 0; at < whole.size(); ++at) {
    EXPECT_NE(refusalOf(whole.substr(0, at)), "") << "cut at " << at;
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x20);
    EXPECT_NE(refusalOf(flipped), "") << "byte " << at;
  }
  EXPECT_TRUE(has(refusalOf("hello"), "does not begin like a recording"));
  EXPECT_TRUE(has(refusalOf(whole + "x"), "checksum"));
}

TEST(RecordingFile, ANewerVersionIsRefusedWithARemedy) {
  std::string bytes = bytesOf(sample::recording());
  bytes[8] = 3;
  EXPECT_TRUE(has(refusalOf(bytes), "its version is 3"));
  EXPECT_TRUE(has(refusalOf(bytes), "install a newer Tilestep"));
}

TEST(RecordingFile, InvalidValuesAreRefusedByName) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    std::function<void(DeviceRecording&, RecordedPoint&)> change;
    const char* said;
  };
  const Case cases[] = {
      {[](auto& r, auto&) { r.device.name = ""; }, "the device has no name"},
      {[](auto& r, auto&) { r.device.blocksPerMultiprocessor = UINT32_MAX; },
       "device.blocksPerMultiprocessor"},
      {[](auto& r, auto&) { r.began = "yesterday"; }, "began is not a time"},
      {[](auto& r, auto&) { r.ceilings->dramBytesPerSecond = 5e-324; },
       "ceilings.dram_bytes_per_second"},
      {[](auto& r, auto&) { r.machines[0].ceilings->l1BytesPerSecond = 1e300; },
       "machines[0].ceilings.l1_bytes_per_second"},
      {[](auto& r, auto&) { r.machines.clear(); }, "points[0].machine"},
      {[](auto& r, auto&) { r.kernels.push_back(r.kernels[0]); }, "the same name"},
      {[](auto& r, auto&) { r.kernels[0].tunables.emplace_back("a b"); }, "tunables"},
      {[](auto& r, auto&) { r.kernels[0].tunables.emplace_back(65, 'n'); }, "tunables"},
      {[](auto&, auto& p) { p.machine = 3; }, "points[0].machine"},
      {[](auto&, auto& p) { p.sizes["m"] = 0; }, "m is out of range"},
      {[](auto&, auto& p) { p.tunables["TILE_WIDTH"] = INT64_MIN; }, "TILE_WIDTH is out of range"},
      {[](auto&, auto& p) { p.unixSeconds = -1; }, "unixSeconds"},
      {[](auto&, auto& p) { p.unixSeconds = INT64_MAX; }, "unixSeconds"},
      {[](auto&, auto& p) { p.compileMs = 1e300; }, "compileMs"},
      {[](auto&, auto& p) { p.measurement->medianMs = 0; }, "measurement.medianMs"},
      {[](auto&, auto& p) { p.measurement->medianMs = 99; }, "not in order"},
      {[nan](auto&, auto& p) { p.measurement->p10Ms = nan; }, "measurement.p10Ms"},
      {[](auto&, auto& p) { p.measurement->repetitions = 0; }, "measurement.repetitions"},
      {[](auto&, auto& p) { p.measurement->spread = -1; }, "measurement.spread"},
      {[](auto&, auto& p) { p.counters->total.ffma += 1; }, "do not add up"},
      {[](auto&, auto& p) { p.counters->total.ffma = uint64_t{1} << 52; }, "ffma exceeds 2^51"},
      {[](auto&, auto& p) { p.counters->price = 5e-324; }, "counters.overhead"},
      {[nan](auto&, auto& p) { p.hardware->figures[0].value = nan; }, "figures[0].value"},
      {[](auto&, auto& p) { p.hardware->figures[0].unit = Unit{99}; }, "figures[0].unit"},
      {[](auto&, auto& p) { p.timeline->sm[0] = 7; }, "unknown multiprocessor"},
      {[](auto&, auto& p) { p.timeline->busyWarpCycles.pop_back(); }, "differ in length"},
      {[](auto&, auto& p) { p.timeline->maxWarps = 1; }, "ran more warps than it holds"},
      {[nan](auto&, auto& p) { p.timings[1].p90 = nan; }, "timings[1].p90"},
      {[](auto&, auto& p) { p.timings.resize(65, p.timings[0]); }, "timings"},
      {[](auto& r, auto& p) { r.points[1] = p; }, "m 64, n 64, k 64, TILE_WIDTH 16: duplicate"},
  };
  for (const Case& one : cases) {
    EXPECT_TRUE(
        has(refusalAfter([&](DeviceRecording& r) { one.change(r, r.points[0]); }), one.said));
  }
}

TEST(RecordingFile, FilesAndHeadersAreRead) {
  const auto file = std::filesystem::path(testing::TempDir()) / "sample.tsrec";
  ASSERT_TRUE(writeFileAtomically(file, bytesOf(sample::recording())));
  EXPECT_EQ(readRecording(file.string()).value().points.size(), 3U);
  const auto header = valueOrThrow(readRecordingHeader(file.string()));
  EXPECT_EQ(header.device.name, "NVIDIA Test");
  EXPECT_TRUE(header.points.empty());
  EXPECT_FALSE(readRecording(file.string() + ".not"));
  EXPECT_FALSE(readRecordingHeader(file.string() + ".not"));
  const std::string pipe = file.string() + ".pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(readRecordingHeader(pipe)) << "a pipe is not waited for";
  std::filesystem::remove(pipe);
  std::filesystem::remove(file);
}

TEST(RecordingFile, TooManyValuesAreNotWritten) {
  DeviceRecording recording = sample::recording();
  const RecordedPoint first = recording.points[0];
  recording.kernels.resize(1);
  recording.points.clear();
  std::string wide(60, 'n');
  for (char digit : std::string("abcdefgh")) recording.kernels[0].tunables.push_back(wide + digit);
  constexpr int64_t kPoints = 80000;
  for (int64_t size = 1; size <= kPoints; ++size) {
    RecordedPoint& point = recording.points.emplace_back();
    point.kernel = 0;
    point.unixSeconds = first.unixSeconds;
    point.sizes = {{"m", size}, {"n", 1}, {"k", 1}};
    for (const std::string& name : recording.kernels[0].tunables) point.tunables[name] = 1;
  }
  const auto written = encodeRecording(recording);
  ASSERT_FALSE(written) << "the file could not be read again";
  EXPECT_TRUE(has(written.error().message, "record fewer points"));
}

TEST(RecordingFile, EndlesslyRepeatedEpochsAreRefused) {
  DeviceRecording recording = sample::recording();
  RecordedPoint first = recording.points[0];
  first.counters->total = {};
  first.counters->epochs = {{trace::Counters{}}, {{1, 1, trace::GridCounters::kMaxEpochs - 1}}};
  recording.points = {first};
  for (int64_t size = 1; size <= 4096; ++size) {
    recording.points.push_back(first);
    recording.points.back().sizes["m"] = 1000 + size;
  }
  EXPECT_TRUE(has(refusalOf(bytesOf(recording)), "have more than 16777216 epochs"));
}

}  // namespace tilestep::lab::recording_file_test
