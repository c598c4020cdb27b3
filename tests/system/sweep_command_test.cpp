// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/tool.h"
#include "system/run_support.h"

namespace tilestep::system_test {
namespace {

namespace fs = std::filesystem;
using support::Words;

fs::path temporaryFile(const std::string& name) {
  return fs::path(testing::TempDir()) / ("tilestep-" + std::to_string(::getpid()) + "-" + name);
}

std::vector<std::string> linesOf(const fs::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(SweepCommand, WritesARowAPointAndSkipsIllegalOnesWithTheReason) {
  const fs::path csv = temporaryFile("skipped.csv");
  const support::Finished run =
      support::tilestep({"sweep", "matmul_tiled", "--set", "TILE_WIDTH=16:48:16", "--size", "20,33",
                         "--device", "simt", "--counters", "--csv", csv.string()});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto lines = linesOf(csv);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_TRUE(lines[0].starts_with("kernel,device,m,n,k,TILE_WIDTH,status,median_ms"));
  EXPECT_TRUE(lines[1].starts_with("matmul_tiled,simt,20,20,20,16,ok,"));
  EXPECT_TRUE(lines[3].starts_with("matmul_tiled,simt,20,20,20,48,skipped,")) << lines[3];
  EXPECT_NE(lines[3].find("48"), std::string::npos);
  EXPECT_NE(run.out.find("skipped"), std::string::npos);
  fs::remove(csv);
}

TEST(SweepCommand, NamesThatDoNotExistAreRefusedBeforeAnythingRuns) {
  expectRefused({"sweep", "matmul_tiled", "--set", "WIDTH=1:4"}, {"WIDTH", "TILE_WIDTH"});
  expectRefused({"sweep", "matmul_tiled", "--set", "TILE_WIDTH=8:4"}, {"8:4"});
  expectRefused({"sweep", "matmul_tiled", "--csv", "/no/such/folder/file.csv"}, {"file.csv"});
}

TEST(SweepCommand, WhereNoPointIsLegalItSaysWhy) {
  const support::Finished run =
      support::tilestep({"sweep", "matmul_tiled", "--set", "TILE_WIDTH=33,34", "--device", "simt"});
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("32"), std::string::npos) << run.err;
}

TEST(SweepCommand, TheInterpreterHasNoBest) {
  expectRefused({"sweep", "matmul_tiled", "--set", "TILE_WIDTH=4,8", "--size", "16", "--device",
                 "simt", "--best"},
                {"--best"});
}

TEST(SweepCommand, AWrongResultEndsWithOne) {
  const support::HomeCopy home;
  home.write("kernels/wrong.cu",
             support::replaced(
                 support::replaced(home.read("kernels/matmul_tiled.cu"), "matmul_tiled", "wrong"),
                 "float Pvalue = 0.0f", "float Pvalue = 1.0f"));
  const support::Finished run = support::tilestep(
      {"sweep", "wrong", "--size", "8", "--check", "--device", "simt"}, {home.variable()});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.out.find("differs from float64"), std::string::npos) << run.out;
}

TEST(SweepCommand, CtrlCKeepsWhatIsDone) {
  const fs::path csv = temporaryFile("interrupted.csv");
  support::Running sweep(support::tilestepWords({"sweep", "matmul_tiled", "--size", "200:4000",
                                                 "--device", "simt", "--csv", csv.string()}),
                         support::tilestepEnvironment());
  for (int i = 0; i < 20000 && linesOf(csv).size() < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  sweep.signal(SIGINT);
  const support::Finished finished = sweep.wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_NE(finished.err.find("interrupted after"), std::string::npos) << finished.err;
  EXPECT_NE(finished.out.find("  ok"), std::string::npos) << finished.out;
  EXPECT_GE(linesOf(csv).size(), 3U);
  fs::remove(csv);
}

}  // namespace
}  // namespace tilestep::system_test
