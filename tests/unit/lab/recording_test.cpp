// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording.h"

#include <gtest/gtest.h>

#include "lab/figures.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_make.h"
#include "ptx/text/parser.h"
#include "support/results.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::lab::recording_test {

const char* const kSource = R"TS(/*---
title = "T"
sizes = { m = 64, n = 64, k = 64 }
operations = "2 * m * n * k"
[tunable.TILE_WIDTH]
default = 16
range = [1, 32]
[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH)", "ceildiv(m, TILE_WIDTH)"]
[[operand]]
name = "P"
rows = "m"
columns = "n"
direction = "out"
---*/
// A comment.
__global__ void matmul_tiled(float* P) {
  P[0] = 1.0f;
}
)TS";

/// A sample recording of the source above, and lookups in it.
class Recorded : public testing::Test {
 protected:
  compile::KernelSource source{"kernels/matmul_tiled.cu", kSource, {}};
  compile::KernelSpec spec = compile::parseKernel(source).value();
  DeviceRecording recording = made();
  Experiment experiment;

  [[nodiscard]] compile::Plan planAt(int64_t size, int64_t width) const {
    return compile::plan(spec, {{"m", size}, {"n", size}, {"k", size}}, {{"TILE_WIDTH", width}},
                         Limits{})
        .value();
  }
  [[nodiscard]] RunResult resultOf(const RecordedPoint* point) const {
    RunResult result;
    addRecorded(experiment, recording, {point, {}, {}}, ptx::Module{}, result);
    return result;
  }
  [[nodiscard]] Lookup at(int64_t size, int64_t width, uint64_t seed = 1) const {
    return lookUp(recording, spec, codeHashOf(source), planAt(size, width), seed);
  }

 private:
  [[nodiscard]] DeviceRecording made() const {
    DeviceRecording r = sample::recording();
    r.kernels[0].codeHash = codeHashOf(source);
    for (RecordedPoint& point : r.points)
      point.launchHash =
          launchHashOf(compile::plan(spec, point.sizes, point.tunables, Limits{}).value());
    return r;
  }
};

TEST(PackedEpochs, RoundTripOrAreRefused) {
  std::vector<trace::Counters> odd = sample::epochs(40);
  odd[17].ffma = 3;  // One phase differs from the others.
  for (const auto& epochs : {sample::epochs(0), sample::epochs(1), sample::epochs(2000), odd,
                             std::vector<trace::Counters>(4096)}) {
    const auto unpacked = valueOrThrow(unpackEpochs(packEpochs(epochs)));
    EXPECT_EQ(unpacked, epochs);
  }
  EXPECT_EQ(packEpochs(sample::epochs(2000)).rows.size(), 3U);
  PackedEpochs packed = packEpochs(sample::epochs(3));
  PackedEpochs tooFresh = packed, left = packed, before = packed, endless = packed;
  tooFresh.runs[0].fresh += 9;
  left.rows.emplace_back();
  before.runs[0].back = 5;
  endless.runs[0].repeats = ~uint32_t{0};
  for (const PackedEpochs& bad : {tooFresh, left, before, endless}) EXPECT_FALSE(unpackEpochs(bad));
}

// Recordings from before asynchronous copies were counted do not include them, and are marked so.
TEST_F(Recorded, OldCountersLeaveOutAsynchronousCopies) {
  const auto parsedWith = [](const std::string& body) {
    return ptx::parse(
               ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry e()\n{\n"
               ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n" +
               body + "ret;\n}\n")
        .value();
  };
  const ptx::Module copying = parsedWith("cp.async.ca.shared.global [%r1], [%rd1], 4;\n");
  experiment.counters = true;
  const auto leavesOut = [&](const ptx::Module& module, bool counted) {
    RecordedPoint point = recording.points.front();
    point.counters->copies = counted;
    RunResult result;
    addRecorded(experiment, recording, {&point, {}, {}}, module, result);
    EXPECT_TRUE(result.counters);
    return result.asyncCopies;
  };
  EXPECT_TRUE(leavesOut(copying, false));
  EXPECT_FALSE(leavesOut(copying, true));
  EXPECT_FALSE(leavesOut(parsedWith(""), false));
}

TEST_F(Recorded, CommentsAndFrontMatterDoNotChangeTheHash) {
  compile::KernelSource other = source;
  other.text.replace(other.text.find("A comment"), 9, "Another remark, longer");
  other.text.replace(other.text.find("title = \"T\""), 11, "title = \"U\"");
  EXPECT_EQ(codeHashOf(other), codeHashOf(source));
  other.text.replace(other.text.find("1.0f"), 4, "2.0f");
  EXPECT_NE(codeHashOf(other), codeHashOf(source));
}

TEST_F(Recorded, APointIsFoundOrTheNearestIsNamed) {
  const Lookup missing = at(1000, 16);
  EXPECT_EQ(missing.point, nullptr);
  EXPECT_TRUE(missing.nearest.known);
  EXPECT_EQ(missing.nearest.sizes.at("m"), 1024);
  EXPECT_TRUE(has(missing.nearest.why, "m 1000, n 1000, k 1000, TILE_WIDTH 16"));
  EXPECT_EQ(at(80, 9).nearest.tunables.at("TILE_WIDTH"), 8);
  EXPECT_EQ(at(80, 15).nearest.tunables.at("TILE_WIDTH"), 16);
  recording.points[0].timeline = sample::timeline();
  const Lookup other = at(1000, 16);
  EXPECT_EQ(other.nearest.sizes.at("m"), 1024);
  EXPECT_EQ(other.nearestTimeline.sizes, recording.points[0].sizes);
  const Lookup found = at(1024, 16);
  ASSERT_NE(found.point, nullptr);
  EXPECT_EQ(found.point->measurement->medianMs, 0.2773);
  EXPECT_EQ(found.nearestTimeline.sizes, recording.points[0].sizes) << "the point itself has none";
}

TEST_F(Recorded, AChangedSourceGetsNoFigures) {
  source.text.replace(source.text.find("1.0f"), 4, "2.0f");
  const Lookup changed = at(1024, 16);
  EXPECT_EQ(changed.point, nullptr);
  EXPECT_TRUE(has(changed.nearest.why, "differs from the recorded source"));
  EXPECT_FALSE(changed.nearest.known) << "points of different code are never near";
}

TEST_F(Recorded, OtherLaunchesSeedsAndKernelsAreNotFound) {
  EXPECT_EQ(at(64, 16, 2).point, nullptr);
  EXPECT_TRUE(has(at(64, 16, 2).nearest.why, "seed 1, not 2"));
  spec.launches[0].grid[0] = "ceildiv(n, TILE_WIDTH) + 1";
  EXPECT_TRUE(has(at(64, 16).nearest.why, "launch"));
  spec.name = "transpose";
  EXPECT_FALSE(at(64, 16).nearest.known);
  EXPECT_TRUE(has(at(64, 16).nearest.why, "it holds matmul_tiled"));
}

TEST_F(Recorded, PointsWithImpossibleFiguresAreIgnored) {
  const auto why = [this](auto change) {
    recording.points[2] = sample::point(1024, 16, 0.2773);
    recording.points[2].launchHash = launchHashOf(planAt(1024, 16));
    change(recording.points[2]);
    const Lookup found = at(1024, 16);
    return found.point == nullptr ? found.nearest.why : "";
  };
  EXPECT_EQ(why([](RecordedPoint&) {}), "");
  EXPECT_TRUE(
      has(why([](RecordedPoint& p) { p.machineCode->activeBlocks = 9; }), "resident blocks"))
      << "2,304 threads on a multiprocessor of 2,048";
  EXPECT_TRUE(has(why([](RecordedPoint& p) { p.timeline = sample::timeline(); }), "timeline"))
      << "2 blocks instead of 4,096";
}

TEST_F(Recorded, APointWithoutATimeIsReported) {
  recording.points[2].measurement.reset();
  const Lookup found = at(1024, 16);
  ASSERT_NE(found.point, nullptr);
  EXPECT_TRUE(has(found.nearest.why, "no time"));
  EXPECT_EQ(found.nearest.sizes.at("m"), 64);
}

TEST_F(Recorded, NamedTunableValuesHaveNoNeighbours) {
  for (RecordedPoint& point : recording.points) point.launchHash = 0;
  spec.tunables[0].values = {8, 16};
  spec.tunables[0].names = {"eight", "sixteen"};
  // The sizes of the second point are far from 64, but its value 16 has the right name.
  EXPECT_EQ(at(64, 16).nearest.tunables.at("TILE_WIDTH"), 16);
  recording.points.erase(recording.points.begin());
  EXPECT_EQ(at(64, 16).nearest.sizes.at("m"), 1024);
}

TEST_F(Recorded, AResultNamesTheDayAndTheMachineOfItsPoint) {
  recording.points[1].unixSeconds = 1764547200;  // 2025-12-01, midnight
  const RunResult first = resultOf(&recording.points[0]), second = resultOf(&recording.points[1]),
                  third = resultOf(&recording.points[2]), none = resultOf(nullptr);
  EXPECT_EQ(first.device.machine, 1U);
  EXPECT_EQ(first.device.machines, 2U);
  EXPECT_EQ(first.device.identity, "0123456789abcdef");
  ASSERT_TRUE(first.machineCeilings);
  EXPECT_EQ(first.machineCeilings->fp32FlopPerSecond, 6.5e13);
  EXPECT_EQ(device::machineText(first.device), "NVIDIA Test no. 1");
  EXPECT_EQ(second.device.recordedOn, "2025-12-01");
  EXPECT_EQ(device::machineText(second.device), "NVIDIA Test no. 2");
  EXPECT_EQ(second.device.identity, "");
  EXPECT_FALSE(second.machineCeilings) << "another machine's ceilings do not apply";
  EXPECT_EQ(third.device.machine, 0U);
  EXPECT_EQ(device::machineText(third.device), "NVIDIA Test (machine unknown)");
  EXPECT_FALSE(third.machineCeilings);
  EXPECT_EQ(none.device.recordedOn, "2026-11-21");
  EXPECT_EQ(device::machineText(none.device), "NVIDIA Test");
  recording.machines.resize(1);
  EXPECT_EQ(device::machineText(resultOf(&recording.points[0]).device), "NVIDIA Test");
}

TEST_F(Recorded, LaunchTimingsRoundTrip) {
  EXPECT_TRUE(resultOf(&recording.points[0]).timings.empty()) << "they were not requested";
  experiment.timings = true;
  EXPECT_EQ(resultOf(&recording.points[0]).timings, recording.points[0].timings);
  EXPECT_EQ(resultOf(&recording.points[0]).timingsNote, "");
  for (const RecordedPoint* point : {&recording.points[1], static_cast<RecordedPoint*>(nullptr)}) {
    EXPECT_TRUE(resultOf(point).timings.empty());
    EXPECT_TRUE(has(resultOf(point).timingsNote, "does not hold this launch"));
  }
  device::Job job;
  job.timings = true;
  EXPECT_FALSE(leaveToInterpreter(experiment, {&recording.points[0], {}, {}}, job));
  EXPECT_FALSE(job.timings) << "the interpreter measures no times";
}

/// `record --labs` relies on this to add timings to an existing point.
TEST_F(Recorded, ARepeatedPointReplacesTheFormer) {
  RunResult result;
  result.kernel = "matmul_tiled";
  result.plan = planAt(64, 8);
  result.compiler = recording.compiler;
  result.measurement = sample::measurement(0.0061);
  result.timings = {{"events", "s", 30, 1e-6, 2e-6, 3e-6, 4e-6, 9e-6, "Two events."}};
  const Status added = addPoint(recording, {0, 2}, result, 1'800'000'000);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(recording.points.size(), 3U);
  const Lookup found = at(64, 8);
  ASSERT_NE(found.point, nullptr);
  EXPECT_EQ(found.point->measurement->medianMs, 0.0061);
  EXPECT_EQ(found.point->timings, result.timings);
}

TEST(RecordingMachines, IdentifiedGpusJoinOnceAndUnidentifiedGpusEachTime) {
  device::DeviceInfo gpu = sample::device();
  DeviceRecording recording = beginRecording(gpu, "a test", 0);
  EXPECT_TRUE(recording.machines.empty());
  gpu.identity = "first";
  EXPECT_EQ(joinMachines(recording, gpu, 0), 1U);
  gpu.identity = "second";
  EXPECT_EQ(joinMachines(recording, gpu, 60), 2U);
  gpu.identity = "first";
  EXPECT_EQ(joinMachines(recording, gpu, 120), 1U);
  gpu.identity.clear();
  EXPECT_EQ(joinMachines(recording, gpu, 180), 3U);
  EXPECT_EQ(joinMachines(recording, gpu, 200), 3U) << "the previous third machine has no points";
  RecordedPoint point;
  point.machine = 3;
  recording.points.push_back(point);
  EXPECT_EQ(joinMachines(recording, gpu, 240), 4U);
  EXPECT_EQ(recording.machines[1].name, gpu.name);
  EXPECT_EQ(recording.machines[1].driver, gpu.driver);
  EXPECT_EQ(recording.machines[1].began, "1970-01-01T00:01:00Z");
}

TEST(RecordingMachines, OnlyTheSameModelMayContinue) {
  const DeviceRecording recording = sample::recording();
  device::DeviceInfo gpu = sample::device();
  gpu.identity = "another";
  gpu.place = "0000:3b:00";
  EXPECT_TRUE(mayGoOn(recording, gpu));
  const auto refusal = [&](auto change) {
    device::DeviceInfo other = gpu;
    change(other);
    const Status may = mayGoOn(recording, other);
    return may ? std::string() : may.error().message;
  };
  EXPECT_TRUE(has(refusal([](auto& d) { d.name = "Other"; }), "Other"));
  EXPECT_TRUE(has(refusal([](auto& d) { d.driver = "1"; }), "driver"));
  EXPECT_TRUE(has(refusal([](auto& d) { d.computeCapability = "8.0"; }), "8.0"));
  EXPECT_TRUE(has(refusal([](auto& d) { d.multiprocessors = 16; }),
                  "begun on a GPU with 132 multiprocessors, but this GPU has 16; "));
  EXPECT_TRUE(has(refusal([](auto& d) { d.l2Bytes = 1; }), "L2"));
}

TEST(RecordingMachines, ADroppedKernelLosesItsPoints) {
  DeviceRecording recording = sample::recording();
  recording.kernels.insert(recording.kernels.begin(), {"transpose", 1, {"m", "n"}, {}});
  recording.points[0].kernel = 0;
  recording.points[1].kernel = recording.points[2].kernel = 1;
  dropKernel(recording, "nobody");
  EXPECT_EQ(recording.points.size(), 3U);
  dropKernel(recording, "transpose");
  ASSERT_EQ(recording.kernels.size(), 1U);
  ASSERT_EQ(recording.points.size(), 2U);
  for (const RecordedPoint& point : recording.points) EXPECT_EQ(point.kernel, 0U);
}

TEST(ThinTimelines, KeepsAllEpochsOfAFewBlocks) {
  DeviceRecording recording;
  recording.points.resize(2);
  trace::Timeline& timeline = recording.points[0].timeline.emplace();
  timeline.epochs = 65;
  timeline.epochStep = 2;
  for (uint32_t row = 0; row < 10; ++row) {
    timeline.epochBusy.insert(timeline.epochBusy.end(), 65, row);
    timeline.epochWait.insert(timeline.epochWait.end(), 65, 100 + row);
  }
  thinTimelines(recording);
  // 256 cells hold three blocks of 65 epochs: every fourth of the ten blocks that were kept.
  ASSERT_EQ(timeline.rows(), 3U);
  EXPECT_EQ(timeline.epochStep, 8U);
  EXPECT_EQ(timeline.epochBusy[65], 4U);
  EXPECT_EQ(timeline.epochWait[2 * 65 + 64], 108U);
  thinTimelines(recording);
  EXPECT_EQ(timeline.rows(), 3U);  // A second call changes nothing.
  EXPECT_FALSE(recording.points[1].timeline);
}

}  // namespace tilestep::lab::recording_test
