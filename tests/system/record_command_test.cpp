// SPDX-License-Identifier: Apache-2.0
// `tilestep record`, on a worker that pretends to have a GPU.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <tuple>

#include "base/files.h"
#include "lab/recording/recording_file.h"
#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test::record_command_test {

namespace fs = std::filesystem;
using support::Words;

class RecordCommand : public testing::Test {
 protected:
  support::TemporaryFolder folder{"record"};
  const std::string file = folder.path("gpu.tsrec");

  [[nodiscard]] Words words(const Words& more, const std::string& worker = FAKE_GPU) const {
    Words all{"record", "matmul_tiled", "--out", file, "--worker", worker};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] lab::DeviceRecording recorded() const {
    auto read = lab::readRecording(file);
    EXPECT_TRUE(read) << read.error().message;
    return read ? std::move(read).value() : lab::DeviceRecording{};
  }
};

TEST_F(RecordCommand, KeepsEveryLegalPoint) {
  const support::Finished done =
      support::expectStatus(0, words({"--set", "TILE_WIDTH=2,4,99", "--size", "8,16"}));
  EXPECT_TRUE(has(done.out, "4 points of Fake GPU"));
  const lab::DeviceRecording recording = recorded();
  ASSERT_EQ(recording.points.size(), 4U);
  EXPECT_EQ(recording.points[0].sizes.at("m"), 8);
  EXPECT_EQ(recording.points[0].tunables.at("TILE_WIDTH"), 2);
  EXPECT_EQ(recording.points[3].measurement->medianMs, 0.016);
  EXPECT_EQ(recording.device.driver, "1.2");
  EXPECT_EQ(recording.compiler.name, "fake");
  EXPECT_EQ(recording.ceilings->dramBytesPerSecond, 1e12);
}

/// The recorded points whose launch was timed by several methods.
std::vector<lab::RecordedPoint> timedPoints(const lab::DeviceRecording& recording) {
  std::vector<lab::RecordedPoint> timed;
  for (const lab::RecordedPoint& point : recording.points)
    if (!point.timings.empty()) timed.push_back(point);
  return timed;
}

TEST_F(RecordCommand, LabsDefineTheirPointsAndTimings) {
  Words labs{"record", "--labs", "--out", file, "--worker", FAKE_GPU};
  support::expectStatus(0, labs);
  const lab::DeviceRecording recording = recorded();
  std::set<std::tuple<size_t, compile::Bindings, compile::Bindings>> points;
  for (const lab::RecordedPoint& point : recording.points)
    EXPECT_TRUE(points.insert({point.kernel, point.sizes, point.tunables}).second) << "once each";
  const std::vector<lab::RecordedPoint> timed = timedPoints(recording);
  ASSERT_EQ(timed.size(), 3U) << "the other labs have none";
  EXPECT_EQ(timed[0].sizes.at("n"), 1024);
  ASSERT_EQ(timed[0].timings.size(), 4U);
  EXPECT_EQ(timed[0].timings[3].id, "repeated");
  labs.emplace_back("--resume");
  support::expectStatus(0, labs);
  EXPECT_EQ(recorded().points.size(), points.size()) << "nothing was missing";
  support::expectStatus(2, words({"--labs"}));
}

TEST_F(RecordCommand, APointWithoutTheTimingsOfItsLabIsMeasuredAgain) {
  ASSERT_EQ(support::tilestep({"record", "matmul_in_memory", "--set", "BLOCK_X=16", "--set",
                               "BLOCK_Y=16", "--size", "256", "--out", file, "--worker", FAKE_GPU})
                .status,
            0);
  ASSERT_TRUE(timedPoints(recorded()).empty());
  support::expectStatus(0, {"record", "--labs", "--resume", "--out", file, "--worker", FAKE_GPU});
  const lab::DeviceRecording recording = recorded();
  EXPECT_EQ(timedPoints(recording).size(), 3U);
  size_t same = 0;
  for (const lab::RecordedPoint& point : recording.points) {
    const bool isIt = point.tunables == compile::Bindings{{"BLOCK_X", 16}, {"BLOCK_Y", 16}} &&
                      point.sizes == compile::Bindings{{"m", 256}, {"n", 256}, {"k", 256}};
    if (!isIt) continue;
    ++same;
    EXPECT_EQ(point.timings.size(), 4U);
  }
  EXPECT_EQ(same, 1U) << "it takes the former point's place";
}

TEST_F(RecordCommand, AFailingKernelIsReportedAndNotRecorded) {
  const support::Finished done =
      support::expectStatus(1, words({"--set", "TILE_WIDTH=2,3", "--size", "8"}));
  EXPECT_TRUE(
      has(done.err, "not recorded: matmul_tiled, m 8, n 8, k 8, TILE_WIDTH 3: out-of-bounds"));
  EXPECT_EQ(recorded().points.size(), 1U);
}

TEST_F(RecordCommand, CtrlCKeepsFinishedPointsAndResumeContinues) {
  const Words sizes{"--set", "TILE_WIDTH=2,4,8", "--size", "8,16,32"};
  support::Running record(support::tilestepWords(words(sizes, FAKE_GPU " 100")),
                          support::tilestepEnvironment());
  // The file exists before the first point is measured, and the signal handler before the file.
  EXPECT_TRUE(support::becomesTrue(30, [&] { return fs::exists(file); }));
  record.signal(SIGINT);
  const support::Finished cut = record.wait();
  EXPECT_EQ(cut.status, 1) << cut.err;
  EXPECT_TRUE(has(cut.err, "--resume"));
  const size_t before = recorded().points.size();
  EXPECT_LT(before, 9U);
  Words more = sizes;
  more.emplace_back("--resume");
  support::expectStatus(0, words(more));
  EXPECT_EQ(recorded().points.size(), 9U);
}

TEST_F(RecordCommand, ExistingPointsAreNeitherMeasuredAgainNorOverwritten) {
  const Words eight{"--set", "TILE_WIDTH=2", "--size", "8"};
  ASSERT_EQ(support::tilestep(words(eight)).status, 0);
  expectRefused(words(eight), {"already exists", "--resume"});
  Words more = eight;
  more.emplace_back("--resume");
  EXPECT_EQ(support::tilestep(words(more)).status, 0);
  EXPECT_EQ(recorded().points.size(), 1U);
  expectRefused(words(more, FAKE_GPU " 0 Other"), {"Fake GPU", "Other", "new file"});
}

TEST_F(RecordCommand, EachPointNamesItsMachine) {
  const std::string second = FAKE_GPU " 0 'Fake GPU' '' second";
  ASSERT_EQ(support::tilestep(words({"--set", "TILE_WIDTH=2", "--size", "8"})).status, 0);
  const Words more{"--set", "TILE_WIDTH=2", "--size", "8,16", "--resume"};
  support::expectStatus(0, words(more, second));
  const lab::DeviceRecording recording = recorded();
  ASSERT_EQ(recording.machines.size(), 2U);
  EXPECT_EQ(recording.machines[0].identity, "first");
  EXPECT_EQ(recording.machines[1].identity, "second");
  ASSERT_TRUE(recording.machines[0].ceilings && recording.machines[1].ceilings);
  EXPECT_EQ(recording.machines[1].ceilings->origin, "measured on second");
  ASSERT_TRUE(recording.ceilings);
  EXPECT_EQ(recording.ceilings->origin, "measured on first");
  ASSERT_EQ(recording.points.size(), 2U);
  EXPECT_EQ(recording.points[0].machine, 1U);
  EXPECT_EQ(recording.points[1].machine, 2U);
  // Nothing is left to measure, so the machine is not added.
  ASSERT_EQ(support::tilestep(words(more, FAKE_GPU " 0 'Fake GPU' '' third")).status, 0);
  EXPECT_EQ(recorded().machines.size(), 2U);
}

TEST_F(RecordCommand, ReplaceMeasuresAKernelAnew) {
  const Words points{"--set", "TILE_WIDTH=2", "--size", "8,16"};
  ASSERT_EQ(support::tilestep(words(points)).status, 0);
  Words again{"--set", "TILE_WIDTH=4", "--size", "8", "--replace"};
  expectRefused(words(again), {"--replace", "--resume"});
  again.emplace_back("--resume");
  support::expectStatus(0, words(again, FAKE_GPU " 0 'Fake GPU' '' second"));
  const lab::DeviceRecording recording = recorded();
  ASSERT_EQ(recording.points.size(), 1U);
  EXPECT_EQ(recording.points[0].tunables.at("TILE_WIDTH"), 4);
  EXPECT_EQ(recording.points[0].machine, 2U);
  EXPECT_EQ(recording.kernels.size(), 1U);
  const auto old = valueOrThrow(lab::readRecording(folder.path("gpu.tsrec.old")));
  EXPECT_EQ(old.points.size(), 2U) << "what was replaced is kept";
  again[1] = "TILE_WIDTH=8";
  ASSERT_EQ(support::tilestep(words(again, FAKE_GPU " 0 'Fake GPU' '' second")).status, 0);
  EXPECT_EQ(lab::readRecording(folder.path("gpu.tsrec.old")).value().points.size(), 2U)
      << "the first one stays";
  EXPECT_EQ(lab::readRecording(folder.path("gpu.tsrec.old2")).value().points.size(), 1U);
}

/// The code is unchanged, so its points would be mistaken for those of another launch.
TEST_F(RecordCommand, ChangedFrontMatterIsRefusedAndTheRecordingStays) {
  const std::string kernel =
      readTextFile(support::sourceRoot() + "/kernels/matmul_tiled.cu").value();
  folder.write("matmul_tiled.cu", kernel);
  Words own{"record",   folder.path("matmul_tiled.cu"),
            "--set",    "TILE_WIDTH=2,4",
            "--size",   "8",
            "--out",    folder.path("own.tsrec"),
            "--worker", FAKE_GPU " 0 'Fake GPU' '' first"};
  support::expectStatus(0, own);
  const std::string before = folder.read("own.tsrec");
  own.emplace_back("--resume");
  const size_t launch = kernel.find("[launch]");
  ASSERT_NE(launch, std::string::npos);
  std::string more = kernel;
  more.insert(launch, "[tunable.PAD]\ndefault = 0\nrange = [0, 1]\n\n");
  folder.write("matmul_tiled.cu", more);
  expectRefused(own, {"front matter", "--replace"});
  EXPECT_EQ(folder.read("own.tsrec"), before);
}

TEST_F(RecordCommand, WrongRequestsAreRefusedBeforeAnythingRuns) {
  expectRefused(words({"--set", "WIDTH=2"}), {"WIDTH", "TILE_WIDTH"});
  expectRefused(words({"--set", "TILE_WIDTH=33"}), {"32"});
  expectRefused(words({"--device", "cuda:7"}), {"cuda:7"});
  expectRefused({"record", "matmul_tiled", "--worker", FAKE_GPU}, {"--out"});
  expectRefused({"record", "matmul_tiled", "--out", "/dev/null/x.tsrec", "--worker", FAKE_GPU},
                {"/dev/null"});
  folder.write("gpu.tsrec", "no recording");
  expectRefused(words({"--resume"}), {"gpu.tsrec is refused", "does not begin like a recording"});
}

}  // namespace tilestep::system_test::record_command_test
