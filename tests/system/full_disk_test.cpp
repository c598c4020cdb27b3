// SPDX-License-Identifier: Apache-2.0
// Files that cannot be written completely, and files that already exist.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/results.h"
#include "support/service.h"
#include "system/run_support.h"

namespace tilestep::system_test::full_disk_test {

namespace fs = std::filesystem;
using support::Words;

std::string quoted(const std::string& word) {
  return "'" + word + "'";
}

/// A shell script that runs `before`, then the command line.
support::Finished throughShell(const std::string& before, const Words& arguments,
                               const std::string& behind = {}, const Words& environment = {}) {
  std::string line = before + " exec";
  for (const std::string& word : support::tilestepWords(arguments)) line += " " + quoted(word);
  return support::Running({"sh", "-c", line + behind}, support::tilestepEnvironment(environment))
      .wait();
}

/// Limits files to this many blocks of 512 bytes, which simulates a full disk.
std::string room(int blocks) {
  return "trap '' XFSZ; ulimit -f " + std::to_string(blocks) + ";";
}

void expectOneSentence(const support::Finished& finished, const std::string& part) {
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  EXPECT_TRUE(has(finished.err, part));
}

class FullDisk : public testing::Test {
 protected:
  support::TemporaryFolder folder{"full"};
};

TEST_F(FullDisk, AnUnwritableStandardOutputIsAnError) {
  for (const Words& words :
       {Words{"run", "matmul_tiled", "--size", "8", "--device", "simt"},
        Words{"run", "matmul_tiled", "--size", "8", "--device", "simt", "--json"},
        Words{"sweep", "matmul_tiled", "--size", "8", "--device", "simt"}, Words{"kernels"},
        Words{"devices"}, Words{"ptx", "matmul_tiled", "--device", "simt"}, Words{"--help"},
        Words{"--version"}, Words{"run", "--help"}})
    expectOneSentence(throughShell("", words, " > /dev/full"),
                      "standard output cannot be written: No space left on device");
  expectOneSentence(throughShell("", {"kernels"}, " >&-"), "standard output cannot be written");
}

TEST_F(FullDisk, ASweepOnAFullDiskExitsWithOneAndCanBeResumed) {
  expectOneSentence(support::tilestep({"sweep", "matmul_tiled", "--size", "8", "--device", "simt",
                                       "--csv", "/dev/full"}),
                    "/dev/full cannot be written: No space left on device");
  const std::string file = folder.path("points.csv");
  Words words{"sweep", "matmul_tiled", "--size", "5:25", "--csv", file, "--worker", FAKE_GPU};
  expectOneSentence(throughShell(room(2), words),
                    file + " cannot be written: File too large; once this is solved");
  EXPECT_EQ(fs::file_size(file), 1024U);
  words.emplace_back("--resume");
  EXPECT_EQ(support::tilestep(words).status, 0);
  std::ifstream lines(file);
  EXPECT_EQ(std::count(std::istreambuf_iterator<char>(lines), {}, '\n'), 22);
}

TEST_F(FullDisk, AnExistingFileIsNotOverwritten) {
  const std::string file = folder.path("points.csv");
  const Words sweep{"sweep", "matmul_tiled", "--size", "8", "--device", "simt", "--csv", file};
  const Words best{"sweep",    "matmul_tiled",         "--best", "--size", "1024",
                   "--device", "recorded:nvidia-h200", "--csv",  file};
  for (const Words& words : {sweep, best}) {
    std::ofstream(file) << "months of work\n";
    expectRefused(words, {file + " already exists", "--resume", "--force"});
    EXPECT_EQ(folder.read(file), "months of work\n");
    Words anew = words;
    anew.emplace_back("--force");
    EXPECT_EQ(support::tilestep(anew).status, 0);
    EXPECT_TRUE(folder.read(file).starts_with("kernel,device,")) << folder.read(file);
  }
  Words both = sweep;
  both.insert(both.end(), {"--force", "--resume"});
  expectRefused(both, {"--force", "--resume"});
  expectRefused({"sweep", "matmul_tiled", "--force"}, {"--csv FILE"});
}

TEST_F(FullDisk, ResumeRerunsAPointWhoseWorkerWasLost) {
  const std::string file = folder.path("lost.csv"), well = folder.path("well");
  // The worker exits at each point with TILE_WIDTH 4 until the file exists.
  Words words{"sweep",    "matmul_tiled",
              "--set",    "TILE_WIDTH=2,4,8",
              "--size",   "8,16",
              "--csv",    file,
              "--worker", std::string(FAKE_GPU) + " 0 'Fake GPU' " + quoted("lost until " + well)};
  support::expectStatus(1, words);
  const std::string before = folder.read(file);
  EXPECT_TRUE(has(before, ",8,8,8,4,failed,"));
  EXPECT_TRUE(has(before, ",16,16,16,8,ok,"));
  std::ofstream(well) << "\n";
  words.emplace_back("--resume");
  const support::Finished rest = support::expectStatus(0, words);
  EXPECT_TRUE(has(rest.err, "2 points that failed are run again"));
  const std::string resumed = folder.read(file);
  EXPECT_FALSE(has(resumed, "failed"));
  fs::remove(file);
  words.pop_back();
  ASSERT_EQ(support::tilestep(words).status, 0);
  EXPECT_EQ(resumed, folder.read(file)) << "the file is as if no point had failed";
}

}  // namespace tilestep::system_test::full_disk_test
