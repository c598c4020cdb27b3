// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "lab/recording/recording_header.h"
#include "support/source_root.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::lab {
namespace recording_file_test {

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

/// What is refused of the sample after `change`.
template <class Change>
std::string refusalAfter(Change change) {
  DeviceRecording recording = sample::recording();
  change(recording);
  return refusalOf(bytesOf(recording));
}

void expectSays(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << text << "\" lacks \"" << part << '"';
}

TEST(RecordingFile, ComesBackAsItWas) {
  const DeviceRecording recording = sample::recording();
  const auto read = decodeRecording(bytesOf(recording), "x");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(bytesOf(*read), bytesOf(recording));
  EXPECT_EQ(read->kernels, recording.kernels);
  EXPECT_EQ(read->device.recordedOn, "2026-11-21");
  EXPECT_EQ(read->device.name, recording.device.name);
  EXPECT_EQ(read->device.driver, recording.device.driver);
  EXPECT_EQ(read->device.limits.maxGrid, recording.device.limits.maxGrid);
  EXPECT_EQ(read->ceilings->fp32FlopPerSecond, 6.5e13);
  EXPECT_FALSE(read->ceilings->l1BytesPerSecond);
  EXPECT_EQ(read->began, recording.began);
  ASSERT_EQ(read->points.size(), 3U);
  const RecordedPoint& first = read->points[0];
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
  EXPECT_TRUE(read->points[1].timings.empty());
  EXPECT_EQ(read->points[1].timelineNote, recording.points[1].timelineNote);
  EXPECT_FALSE(read->points[2].counters);
}

TEST(RecordingFile, MachinesComeBackAndEachPointsOwn) {
  const auto read = decodeRecording(bytesOf(sample::recording()), "x");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->machines.size(), 2U);
  EXPECT_EQ(read->machines[0].name, "NVIDIA Test");
  EXPECT_EQ(read->machines[0].identity, "0123456789abcdef");
  EXPECT_EQ(read->machines[0].driver, "580.1, CUDA 13.0");
  EXPECT_EQ(read->machines[0].began, "2026-11-21T12:30:00Z");
  ASSERT_TRUE(read->machines[0].ceilings);
  EXPECT_EQ(read->machines[0].ceilings->fp32FlopPerSecond, 6.5e13);
  EXPECT_FALSE(read->machines[0].ceilings->l1BytesPerSecond);
  EXPECT_EQ(read->machines[1].identity, "");
  EXPECT_FALSE(read->machines[1].ceilings);
  EXPECT_EQ(read->points[0].machine, 1U);
  EXPECT_EQ(read->points[1].machine, 2U);
  EXPECT_EQ(read->points[2].machine, 0U);
  const auto header = parseHeader(headerText({*read, 0, {}}));
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->about.machines.size(), 2U);
}

/// From before machines were named: which one took a point is not known then.
TEST(RecordingFile, OlderFilesAreReadAndNameNoMachine) {
  const auto read =
      readRecording(support::sourceRoot() + "/tests/fuzz/corpus/recording/before_machines.tsrec");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->machines.empty());
  EXPECT_EQ(read->points.size(), 3U);
  for (const RecordedPoint& point : read->points) {
    EXPECT_EQ(point.machine, 0U);
    EXPECT_TRUE(point.timings.empty()) << "it is from before launches were timed in several ways";
  }
  EXPECT_EQ(refusalOf(bytesOf(*read)), "");
}

/// A header that somebody else wrote, with `text` as its table of machines.
std::string refusalOfMachines(const std::string& text) {
  const std::string whole = headerText({sample::recording(), 0, {}});
  const std::string key = "\"machines\": ";
  const size_t from = whole.find(key) + key.size(), to = whole.find("\n", from);
  const auto parsed = parseHeader(whole.substr(0, from) + text + "," + whole.substr(to));
  return parsed ? "" : parsed.error().message;
}

TEST(RecordingFile, ATableOfMachinesThatLiesIsRefused) {
  const std::string good =
      R"({"name":"a","gpu":"b","driver":"c","began":"2026-11-21T12:30:00Z","ceilings":null})";
  EXPECT_EQ(refusalOfMachines("[" + good + "]"), "");
  expectSays(refusalOfMachines("7"), "machines is not a list");
  expectSays(refusalOfMachines("[7]"), "machines[0] is not an object");
  expectSays(refusalOfMachines("[" + good + ", {}]"), "lacks machines[1].name");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return refusalOfMachines("[" + text.replace(text.find(from), from.size(), to) + "]");
  };
  expectSays(with(R"("b")", "7"), "machines[0].gpu");
  expectSays(with(R"("c")", R"("a\u001b[2J")"), "machines[0].driver");
  expectSays(with("2026-11-21T12:30:00Z", "today"), "machines[0].began");
  expectSays(with("null}", "7}"), "machines[0].ceilings is not an object");
  expectSays(with("null}", R"({"origin":"x","dram_bytes_per_second":-1}})"),
             "machines[0].ceilings.dram_bytes_per_second");
  std::string many = good;
  for (int i = 0; i < 1024; ++i) many += "," + good;
  expectSays(refusalOfMachines("[" + many + "]"), "at most 1024");
}

TEST(RecordingFile, TimesOffTheClocksStepsComeBackToo) {
  DeviceRecording recording = sample::recording();
  recording.points[0].timeline->endNs = {97, 128};
  const auto read = decodeRecording(bytesOf(recording), "x");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->points[0].timeline, recording.points[0].timeline);
}

TEST(RecordingFile, RepeatedEpochsTakeHardlyAnyRoom) {
  DeviceRecording recording = sample::recording();
  const size_t before = bytesOf(recording).size();
  recording.points[0].counters = sample::counters(2000);
  EXPECT_LT(bytesOf(recording).size(), before + 100);
}

TEST(RecordingFile, ItsHeaderIsReadableText) {
  const std::string bytes = bytesOf(sample::recording());
  expectSays(bytes, "\"name\":\"NVIDIA Test\"");
  expectSays(bytes, "\"name\":\"time.median_ms\",\"type\":\"real\",\"entries\":3");
}

TEST(RecordingFile, AnEmptyOneIsOne) {
  DeviceRecording recording = sample::recording();
  recording.points.clear();
  recording.kernels.clear();
  EXPECT_EQ(refusalOf(bytesOf(recording)), "");
}

TEST(RecordingFile, EveryCutAndEveryFlippedByteIsRefused) {
  const std::string whole = bytesOf(sample::recording());
  for (size_t at = 0; at < whole.size(); ++at) {
    EXPECT_NE(refusalOf(whole.substr(0, at)), "") << "cut at " << at;
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x20);
    EXPECT_NE(refusalOf(flipped), "") << "byte " << at;
  }
  expectSays(refusalOf("hello"), "it is not a recording");
  expectSays(refusalOf(whole + "x"), "checksum");
}

TEST(RecordingFile, FiguresOfItsHeaderThatNoDeviceHasAreRefused) {
  expectSays(refusalAfter([](auto& r) { r.device.blocksPerMultiprocessor = UINT32_MAX; }),
             "the header's device: the device NVIDIA Test has 4294967295 blocks a multiprocessor");
  expectSays(refusalAfter([](auto& r) { r.ceilings->dramBytesPerSecond = 5e-324; }),
             "the header's ceilings: the ceiling dram_bytes_per_second is not from 1 to 1e+18");
  expectSays(refusalAfter([](auto& r) { r.machines[0].ceilings->l1BytesPerSecond = 1e300; }),
             "the header's machines[0].ceilings: the ceiling l1_bytes_per_second");
}

TEST(RecordingFile, FiguresOfAPointThatNothingHasAreRefused) {
  const auto first = [](DeviceRecording& r) -> RecordedPoint& { return r.points[0]; };
  expectSays(refusalAfter([&](auto& r) { first(r).hardware->figures[0].value = 5e-324; }),
             "is not a count");
  expectSays(refusalAfter([&](auto& r) { first(r).registers = UINT32_MAX; }), "registers");
  expectSays(refusalAfter([&](auto& r) { first(r).compileMs = 1e300; }), "compiling");
  expectSays(refusalAfter([&](auto& r) { first(r).counters->price = 5e-324; }), "price");
  expectSays(refusalAfter([&](auto& r) { first(r).timeline->clockMhz = 5e-324; }), "figure");
  expectSays(refusalAfter([&](auto& r) { first(r).timings[0].first = 5e-324; }),
             "nobody can have measured");
}

TEST(RecordingFile, ANewerVersionSaysWhatToDo) {
  std::string bytes = bytesOf(sample::recording());
  bytes[8] = 2;
  expectSays(refusalOf(bytes), "version 2");
  expectSays(refusalOf(bytes), "take a newer Tilestep");
}

TEST(RecordingFile, WhatNoGpuMakesIsRefusedByPointAndReason) {
  const auto first = [](DeviceRecording& r) -> RecordedPoint& { return r.points[0]; };
  expectSays(refusalAfter([&](auto& r) { first(r).measurement->medianMs = 0; }),
             "a time is not from 1e-09 to 1e+09 ms");
  expectSays(refusalAfter([&](auto& r) { first(r).measurement->medianMs = 99; }), "not in order");
  expectSays(refusalAfter([&](auto& r) { first(r).measurement->repetitions = 0; }), "no samples");
  expectSays(refusalAfter([&](auto& r) { first(r).measurement->spread = -1; }), "spread");
  expectSays(refusalAfter([&](auto& r) { first(r).counters->total.ffma += 1; }), "do not add up");
  expectSays(refusalAfter([&](auto& r) { first(r).counters->total.ffma = ~uint64_t{0}; }), "ffma");
  expectSays(refusalAfter([&](auto& r) { first(r).timeline->sm[0] = 7; }), "multiprocessor");
  expectSays(refusalAfter([&](auto& r) { first(r).timeline->activeCycles.pop_back(); }),
             "its multiprocessors' column has a wrong length");
  expectSays(refusalAfter([&](auto& r) { first(r).timeline->busyWarpCycles.pop_back(); }),
             "its blocks' columns differ in length");
  expectSays(refusalAfter([&](auto& r) { first(r).timeline->waitWarpCycles.pop_back(); }),
             "its blocks' columns differ in length");
  expectSays(refusalAfter([&](auto& r) { first(r).timeline->maxWarps = 1; }),
             "ran more warps than it holds");
  expectSays(refusalAfter([&](auto& r) { first(r).timeline->endNs[0] = uint64_t{1} << 60; }),
             "ends weeks later");
  expectSays(refusalAfter([&](auto& r) { first(r).timeline->activeCycles[0] = uint64_t{1} << 60; }),
             "active for weeks");
  expectSays(refusalAfter([&](auto& r) { first(r).sizes["m"] = 0; }), "m is no size");
  expectSays(refusalAfter([&](auto& r) { first(r).tunables["TILE_WIDTH"] = INT64_MIN; }),
             "TILE_WIDTH is no tunable's value");
  expectSays(refusalAfter([&](auto& r) { r.points[1] = first(r); }), "there twice");
  expectSays(refusalAfter([&](auto& r) { r.points[1] = first(r); }),
             "point 1 (matmul_tiled, m 64, n 64, k 64, TILE_WIDTH 16)");
  expectSays(refusalAfter([&](auto& r) { first(r).machine = 3; }),
             "it was taken on machine 3, and the recording names 2");
  expectSays(refusalAfter([&](auto& r) { r.machines.clear(); }), "the recording names 0");
  expectSays(refusalAfter([&](auto& r) { first(r).unixSeconds = -1; }), "1970 to 9999");
  expectSays(refusalAfter([&](auto& r) { first(r).unixSeconds = INT64_MAX; }), "1970 to 9999");
  expectSays(refusalAfter([](auto& r) { r.machines[1].name = "a\x1b[2Jb"; }), "machines[1].name");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expectSays(refusalAfter([&](auto& r) { first(r).measurement->p10Ms = nan; }),
             "column time.p10_ms: entry 0: it is not a finite number");
  expectSays(refusalAfter([&](auto& r) { first(r).hardware->figures[0].unit = Unit{99}; }),
             "hardware.unit");
  expectSays(refusalAfter([&](auto& r) { first(r).timings[1].p90 = nan; }),
             "column timing.p90: entry 1: it is not a finite number");
  expectSays(refusalAfter([&](auto& r) { first(r).timings[1].first = -1; }), "negative");
  expectSays(refusalAfter([&](auto& r) { first(r).timings[1].id = "events"; }), "there twice");
  expectSays(refusalAfter([&](auto& r) { first(r).timings.resize(65, first(r).timings[0]); }),
             "timing#");
  expectSays(refusalAfter([](auto& r) { r.device.name = "a\x1b[2Jb"; }), "device.name");
  expectSays(refusalAfter([](auto& r) { r.began = "yesterday"; }), "began");
}

TEST(RecordingFile, FilesAreReadWholeOrByTheirHeader) {
  const auto file = std::filesystem::path(testing::TempDir()) / "sample.tsrec";
  ASSERT_TRUE(writeFileAtomically(file, bytesOf(sample::recording())));
  EXPECT_EQ(readRecording(file.string()).value().points.size(), 3U);
  const auto header = readRecordingHeader(file.string());
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->device.name, "NVIDIA Test");
  EXPECT_TRUE(header->points.empty());
  EXPECT_FALSE(readRecording(file.string() + ".not"));
  EXPECT_FALSE(readRecordingHeader(file.string() + ".not"));
  const std::string pipe = file.string() + ".pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(readRecordingHeader(pipe)) << "nobody waits for a pipe";
  std::filesystem::remove(pipe);
  std::filesystem::remove(file);
}

TEST(RecordingFile, NamesThatNoKernelHasAreRefused) {
  for (const std::string& name : {std::string(65, 'n'), std::string("a b"), std::string()}) {
    expectSays(refusalAfter([&](auto& r) { r.kernels[0].tunables.push_back(name); }),
               "kernels[0].tunables is not a list of names");
  }
}

TEST(RecordingFile, NamesThatRepeatWithoutEndAreRefused) {
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
  expectSays(refusalOf(bytesOf(recording)), "have more than 64 MiB together");
}

TEST(RecordingFile, EpochsThatRepeatWithoutEndAreRefused) {
  DeviceRecording recording = sample::recording();
  RecordedPoint first = recording.points[0];
  first.counters->total = {};
  first.counters->epochs = {{trace::Counters{}}, {{1, 1, trace::GridCounters::kMaxEpochs - 1}}};
  recording.points = {first};
  for (int64_t size = 1; size <= 4096; ++size) {
    recording.points.push_back(first);
    recording.points.back().sizes["m"] = 1000 + size;
  }
  expectSays(refusalOf(bytesOf(recording)), "have more than 16777216 epochs");
}

}  // namespace recording_file_test
}  // namespace tilestep::lab
