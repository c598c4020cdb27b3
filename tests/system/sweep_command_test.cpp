// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "support/results.h"
#include "support/service.h"
#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test::sweep_command_test {

namespace fs = std::filesystem;
using support::Words;

std::vector<std::string> linesOf(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

class SweepCommand : public testing::Test {
 protected:
  void waitForTwoPoints() const {
    EXPECT_TRUE(support::becomesTrue(100, [this] { return linesOf(csv).size() >= 3; }));
  }

  support::TemporaryFolder folder{"sweep"};
  const fs::path csv = folder.path("points.csv");
};

TEST_F(SweepCommand, WritesARowForEachPointAndTheReasonForIllegalOnes) {
  const support::Finished run =
      support::expectStatus(0, {"sweep", "matmul_tiled", "--set", "TILE_WIDTH=16:48:16", "--size",
                                "20,33", "--device", "simt", "--counters", "--csv", csv.string()});
  const auto lines = linesOf(csv);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_TRUE(lines[0].starts_with("kernel,device,m,n,k,TILE_WIDTH,status,median_ms"));
  EXPECT_TRUE(lines[1].starts_with("matmul_tiled,simt,20,20,20,16,ok,"));
  EXPECT_TRUE(lines[3].starts_with("matmul_tiled,simt,20,20,20,48,skipped,")) << lines[3];
  EXPECT_TRUE(has(lines[3], "48"));
  EXPECT_TRUE(has(run.out, "skipped"));
}

TEST_F(SweepCommand, WrongRequestsAreRefusedBeforeAnythingRuns) {
  expectRefused({"sweep", "matmul_tiled", "--set", "WIDTH=1:4"}, {"WIDTH", "TILE_WIDTH"});
  expectRefused({"sweep", "matmul_tiled", "--set", "TILE_WIDTH=8:4"}, {"8:4"});
  expectRefused({"sweep", "matmul_tiled", "--csv", "/no/such/folder/file.csv"}, {"file.csv"});
  const support::Finished none = support::expectStatus(
      2, {"sweep", "matmul_tiled", "--set", "TILE_WIDTH=33,34", "--device", "simt"});
  EXPECT_TRUE(has(none.err, "32"));
}

TEST_F(SweepCommand, AWrongResultExitsWithOne) {
  const support::HomeCopy home;
  home.write("kernels/wrong.cu",
             support::replaced(
                 support::replaced(home.read("kernels/matmul_tiled.cu"), "matmul_tiled", "wrong"),
                 "float Pvalue = 0.0f", "float Pvalue = 1.0f"));
  const support::Finished run = support::expectStatus(
      1, {"sweep", "wrong", "--size", "8", "--check", "--device", "simt"}, {home.variable()});
  EXPECT_TRUE(has(run.out, "differs from float64"));
}

/// A sweep of 12 points on the interpreter.
Words twelvePoints(const fs::path& csv, const Words& more = {}) {
  Words words{"sweep",      "matmul_tiled", "--set",     "TILE_WIDTH=2,4,33,8",
              "--size",     "5,8,17",       "--device",  "simt",
              "--counters", "--csv",        csv.string()};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(SweepCommand, CtrlCKeepsFinishedPointsAndResumeContinues) {
  // The last size takes long enough that the signal always interrupts it.
  const Words words{"sweep",    "matmul_tiled", "--size", "20,21,22,4000",
                    "--device", "simt",         "--csv",  csv.string()};
  support::Running sweep(support::tilestepWords(words), support::tilestepEnvironment());
  waitForTwoPoints();
  sweep.signal(SIGINT);
  const support::Finished finished = sweep.wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(has(finished.err, "interrupted after"));
  EXPECT_TRUE(has(finished.err, "--resume"));
  EXPECT_TRUE(has(finished.out, "  ok"));
  const auto lines = linesOf(csv);
  EXPECT_GE(lines.size(), 3U);
  for (const std::string& line : lines) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ','),
              std::count(lines[0].begin(), lines[0].end(), ','));
  }
}

/// A cluster may run the resumed sweep on a machine with another GPU.
TEST_F(SweepCommand, ResumingOnAnotherDeviceWarnsAboutTimes) {
  Words words{"sweep",           "matmul_tiled", "--size",     "1024",     "--set",
              "TILE_WIDTH=8,16", "--csv",        csv.string(), "--device", "recorded:nvidia-h200"};
  ASSERT_EQ(support::tilestep(words).status, 0);
  std::vector<std::string> lines = linesOf(csv);
  ASSERT_EQ(lines.size(), 3U);
  std::string first = lines[1];
  const std::string name = "NVIDIA H200";
  ASSERT_TRUE(has(first, name));
  first.replace(first.find(name), name.size(), "NVIDIA T400");
  std::ofstream(csv) << lines[0] << "\n" << first << "\n";
  words.emplace_back("--resume");
  const support::Finished resumed = support::tilestep(words);
  EXPECT_TRUE(has(resumed.err, "timed on NVIDIA H200 and NVIDIA T400"));
}

/// Spreadsheets and editors replace a file when they save it.
TEST_F(SweepCommand, AReplacedFileEndsTheSweepWithAnError) {
  const fs::path copy = folder.path("copy.csv");
  const Words words{"sweep",    "matmul_tiled", "--size", "20,21,200,22,23,24",
                    "--device", "simt",         "--csv",  csv.string()};
  support::Running sweep(support::tilestepWords(words), support::tilestepEnvironment());
  waitForTwoPoints();
  fs::copy_file(csv, copy, fs::copy_options::overwrite_existing);
  fs::rename(copy, csv);
  const support::Finished finished = sweep.wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(has(finished.err, "replaced by another program"));
  Words again = words;
  again.emplace_back("--resume");
  EXPECT_EQ(support::tilestep(again).status, 0);
  EXPECT_EQ(linesOf(csv).size(), 7U);
}

TEST_F(SweepCommand, ASecondSweepOfTheSameFileIsRefusedAndNamesTheFirst) {
  // The last size takes long enough that the second sweep always finds the first one running.
  const Words words{"sweep",    "matmul_tiled", "--size", "20,21,4000",
                    "--device", "simt",         "--csv",  csv.string()};
  support::Running first(support::tilestepWords(words), support::tilestepEnvironment());
  waitForTwoPoints();
  const std::string before = folder.read("points.csv");
  for (const char* how : {"--resume", "--force"}) {
    Words second = words;
    second.emplace_back(how);
    expectRefused(second, {csv.string() + " is being written by process "});
  }
  EXPECT_EQ(folder.read("points.csv"), before);
  first.signal(SIGINT);
  EXPECT_EQ(first.wait().status, 1);
  EXPECT_FALSE(fs::exists(csv.string() + ".lock"));
}

TEST_F(SweepCommand, AResumedSweepCompletesTheFile) {
  const support::Finished whole = support::expectStatus(0, twelvePoints(csv));
  const std::string text = folder.read("points.csv");
  // Cut off within the header, after it, within a line, and after the last line.
  for (const size_t bytes :
       {size_t{0}, size_t{9}, text.find('\n') + 1, text.size() / 2, text.size() - 1, text.size()}) {
    std::ofstream(csv) << text.substr(0, bytes);
    const support::Finished rest = support::expectStatus(0, twelvePoints(csv, {"--resume"}));
    EXPECT_EQ(folder.read("points.csv"), text) << "cut off after " << bytes;
    EXPECT_EQ(rest.out, whole.out) << "the table has all points";
  }
}

TEST_F(SweepCommand, ResumeDoesNotChangeAnotherFile) {
  for (const std::string text : {"a,b\n1,2\n", "notes", "kernel,device\n"}) {
    std::ofstream(csv) << text;
    expectRefused(twelvePoints(csv, {"--resume"}), {csv.string(), "another sweep", "--force"});
    EXPECT_EQ(folder.read("points.csv"), text);
  }
  fs::remove(csv);
  ASSERT_EQ(support::tilestep(twelvePoints(csv)).status, 0);
  const std::string text = folder.read("points.csv");
  Words other = twelvePoints(csv, {"--resume"});
  *std::ranges::find(other, "5,8,17") = "5,9,17";
  expectRefused(other, {"point 5", "m = 8"});
  EXPECT_EQ(folder.read("points.csv"), text);
  expectRefused({"sweep", "matmul_tiled", "--resume"}, {"--csv"});
}

TEST_F(SweepCommand, AKilledWorkerLosesNoPoint) {
  const Words words{"sweep", "matmul_tiled", "--size",     "300,301,302,303", "--device",
                    "simt",  "--csv",        csv.string(), "--workers",       "2"};
  support::Running sweep(support::tilestepWords(words), support::tilestepEnvironment());
  std::vector<pid_t> workers;
  ASSERT_TRUE(support::becomesTrue(30, [&] {
    workers = support::childrenOf(sweep.id());
    return workers.size() == 2;
  }));
  ::kill(workers.front(), SIGKILL);
  const support::Finished finished = sweep.wait();
  EXPECT_EQ(finished.status, 0) << finished.err << finished.out;
  const auto lines = linesOf(csv);
  ASSERT_EQ(lines.size(), 5U);
  for (size_t i = 1; i < 5; ++i) {
    const std::string size = std::to_string(299 + i);
    EXPECT_TRUE(lines[i].starts_with("matmul_tiled,simt," + size + ",")) << lines[i];
    EXPECT_TRUE(has(lines[i], ",ok,"));
  }
}

}  // namespace tilestep::system_test::sweep_command_test
