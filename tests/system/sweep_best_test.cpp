// SPDX-License-Identifier: Apache-2.0
// `tilestep sweep --best` with a simulated GPU, on which a choice is faster the nearer its tunables
// are to 8.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "lab/points/points_file.h"
#include "lab/tune/tuned.h"
#include "support/results.h"
#include "support/service.h"
#include "system/run_support.h"

namespace tilestep::system_test::sweep_best_test {

namespace fs = std::filesystem;
using support::Words;

class SweepBest : public testing::Test {
 protected:
  static Words worker(const std::string& mode, int ms = 0) {
    return {"--worker", std::string(FAKE_GPU) + " " + std::to_string(ms) + " 'Fake GPU' " + mode};
  }
  /// `run KERNEL --tuned` with the simulated GPU.
  [[nodiscard]] support::Finished tuned(Words words) const {
    words.insert(words.begin(), "run");
    words.emplace_back("--tuned");
    for (const std::string& word : worker("valley")) words.push_back(word);
    return support::tilestep(words, environment());
  }
  [[nodiscard]] Words environment() const { return {"XDG_STATE_HOME=" + folder_.string()}; }
  [[nodiscard]] support::Finished best(Words words, const std::string& mode = "valley") const {
    words.insert(words.begin(), "sweep");
    words.emplace_back("--best");
    for (const std::string& word : worker(mode)) words.push_back(word);
    return support::tilestep(words, environment());
  }
  [[nodiscard]] fs::path csv() const { return folder_ / "tried.csv"; }
  /// The user's kept choices for the simulated GPU.
  [[nodiscard]] std::vector<lab::Tuned> kept() const {
    const fs::path file = lab::pointsFileIn(folder_ / "tilestep");
    if (!fs::exists(file)) return {};
    const auto own = valueOrThrow(lab::openPoints(file));
    return lab::readTuned(&own, {}, "Fake GPU").all;
  }

  support::TemporaryFolder temporary_{"best"};
  const fs::path folder_ = temporary_.path();
};

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_F(SweepBest, FindsChecksAndKeepsTheFastestChoice) {
  const support::Finished found = best({"matmul_tiled", "--size", "512,1024"});
  EXPECT_EQ(found.status, 0) << found.err;
  const auto lines = linesOf(found.out);
  ASSERT_EQ(lines.size(), 3U) << found.out;
  EXPECT_TRUE(has(lines[0], "TILE_WIDTH"));
  for (size_t i = 1; i < 3; ++i) EXPECT_TRUE(has(lines[i], "   8  ok"));
  EXPECT_TRUE(has(found.err, "32 of 32 combinations are legal"));
  EXPECT_TRUE(has(found.err, "TILE_WIDTH 8"));
  EXPECT_TRUE(has(found.err, "2 times faster than the defaults"));
  EXPECT_TRUE(has(found.err, "agrees with float64"));
  ASSERT_EQ(kept().size(), 2U);
  EXPECT_EQ(kept()[0].tunables, (compile::Bindings{{"TILE_WIDTH", 8}}));

  const support::Finished run = tuned({"matmul_tiled", "--size", "1024", "--json"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(has(run.out, "\"TILE_WIDTH\":8"));
  EXPECT_TRUE(has(run.err, " timed of 32 legal at"));
  EXPECT_TRUE(has(run.err, "on Fake GPU"));

  // A file that is not a database is reported.
  std::ofstream(folder_ / "tilestep" / "points.db") << std::string(4096, 'x');
  const support::Finished damaged = tuned({"matmul_tiled"});
  EXPECT_EQ(damaged.status, 2);
  EXPECT_TRUE(has(damaged.err, "points.db"));
}

TEST_F(SweepBest, ADamagedFileOfAnEarlierVersionIsReported) {
  fs::create_directories(folder_ / "tilestep" / "tuned");
  std::ofstream(folder_ / "tilestep" / "tuned" / "fake-gpu.csv") << "notes\n";
  const support::Finished damaged = tuned({"matmul_tiled", "--size", "1024"});
  EXPECT_EQ(damaged.status, 2);
  EXPECT_TRUE(has(damaged.err, "fake-gpu.csv, line 1"));
}

TEST_F(SweepBest, AFasterOlderChoiceRemains) {
  ASSERT_EQ(best({"matmul_tiled", "--size", "512"}).status, 0);
  const std::vector<lab::Tuned> before = kept();
  // In the mode "wrong", the result of the fastest choice is wrong, and the next one is slower.
  const support::Finished slower = best({"matmul_tiled", "--size", "512"}, "wrong");
  EXPECT_TRUE(has(slower.err, "not kept, because the older one remains, TILE_WIDTH 8"));
  EXPECT_EQ(kept(), before);
}

TEST_F(SweepBest, TunedIsRefusedIfNothingIsKnown) {
  Words words{"run", "matmul_tiled", "--tuned"};
  for (const std::string& word : worker("valley")) words.push_back(word);
  expectRefused(words, {"matmul_tiled", "Fake GPU", "sweep matmul_tiled --best"}, environment());
}

TEST_F(SweepBest, TheFileHasDroppedChoicesWithTheirReasons) {
  const support::Finished found =
      best({"rung06_patch_a_thread", "--size", "1024", "--csv", csv().string()});
  EXPECT_EQ(found.status, 0) << found.err;
  const std::string text = temporary_.read("tried.csv");
  EXPECT_TRUE(has(text, ",skipped,")) << "some choices spill registers or have too few blocks";
  EXPECT_TRUE(has(text, "400 bytes a thread do not fit its registers"));
  for (const std::string& line : linesOf(text)) {
    if (!has(line, ",skipped,")) continue;
    EXPECT_TRUE(has(line, ",load,") || has(line, ",plan,")) << line;
  }
  const support::Finished all = best(
      {"rung06_patch_a_thread", "--size", "1024", "--all", "--csv", csv().string(), "--force"});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_FALSE(has(temporary_.read("tried.csv"), "do not fit its registers"));
}

TEST_F(SweepBest, AFastChoiceWithAWrongResultIsNotTheBest) {
  const support::Finished found = best({"matmul_tiled", "--size", "512"}, "wrong");
  EXPECT_EQ(found.status, 1);
  EXPECT_TRUE(has(found.err, "TILE_WIDTH 8 is fast but wrong"));
  EXPECT_TRUE(has(found.err, "TILE_WIDTH 9,") || has(found.err, "TILE_WIDTH 7,")) << found.err;
  ASSERT_EQ(kept().size(), 1U);
  EXPECT_NE(kept()[0].tunables.at("TILE_WIDTH"), 8);
}

TEST_F(SweepBest, ARestrictedSearchIsNotKept) {
  const support::Finished found =
      best({"matmul_tiled", "--size", "512", "--set", "TILE_WIDTH=16:20"});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_TRUE(has(found.err, "5 of 5 combinations"));
  EXPECT_TRUE(has(found.err, "TILE_WIDTH 16,"));
  EXPECT_TRUE(has(found.err, "not kept"));
  EXPECT_TRUE(kept().empty());
}

TEST_F(SweepBest, AResumedSearchEndsWithTheSameResult) {
  const Words words{"rung06_patch_a_thread", "--size", "1024", "--csv", csv().string()};
  const support::Finished whole = best(words);
  ASSERT_EQ(whole.status, 0) << whole.err;
  const std::string text = temporary_.read("tried.csv");
  Words again = words;
  again.emplace_back("--resume");
  for (const size_t bytes :
       {size_t{5}, text.find('\n') + 1, text.size() / 3, text.size() - 7, text.size()}) {
    std::ofstream(csv()) << text.substr(0, bytes);
    fs::remove_all(folder_ / "tilestep");  // Kept choices would be tried first.
    const support::Finished rest = best(again);
    EXPECT_EQ(rest.status, 0) << rest.err;
    EXPECT_EQ(rest.out, whole.out) << "cut off after " << bytes;
    EXPECT_EQ(temporary_.read("tried.csv"), text) << "cut off after " << bytes;
  }
  // A failed step is repeated.
  std::string failed = text;
  const size_t status = failed.find(",ok,", failed.rfind('\n', failed.size() - 2));
  ASSERT_NE(status, std::string::npos) << text;
  std::ofstream(csv()) << failed.replace(status, 4, ",failed,");
  fs::remove_all(folder_ / "tilestep");
  EXPECT_EQ(best(again).out, whole.out);
  EXPECT_EQ(temporary_.read("tried.csv"), text);
  std::ofstream(csv()) << "kernel,device\n";
  const support::Finished other = best(again);
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(has(other.err, "another sweep"));
}

TEST_F(SweepBest, CtrlCKeepsTheStepsSoFar) {
  Words words{"sweep", "matmul_tiled_free", "--best", "--csv", csv().string()};
  for (const std::string& word : worker("valley", 20)) words.push_back(word);
  support::Running sweep(support::tilestepWords(words),
                         support::tilestepEnvironment(environment()));
  for (int i = 0; i < 20000 && !has(temporary_.read("tried.csv"), ",brief,"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  sweep.signal(SIGINT);
  const support::Finished finished = sweep.wait();
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(has(finished.err, "interrupted"));
  EXPECT_TRUE(has(finished.err, "not checked"));
  EXPECT_TRUE(has(finished.err, "--resume"));
  EXPECT_TRUE(kept().empty());
}

TEST_F(SweepBest, ABudgetEndsTheSearchWithTheBestSoFar) {
  Words words{"sweep", "matmul_tiled_free", "--best", "--budget", "1"};
  for (const std::string& word : worker("valley", 30)) words.push_back(word);
  const support::Finished found = support::expectStatus(0, words, environment());
  EXPECT_EQ(linesOf(found.out).size(), 2U) << found.out;
  const size_t begin = found.err.find("best of "), end = found.err.find(" (", begin);
  ASSERT_NE(end, std::string::npos) << found.err;
  const std::string searched = found.err.substr(begin, end - begin);
  EXPECT_TRUE(has(searched, " timed of ") && searched.ends_with(" legal")) << searched;
  ASSERT_EQ(kept().size(), 1U);
  const support::Finished taken = tuned({"matmul_tiled_free"});
  EXPECT_EQ(taken.status, 0) << taken.err;
  EXPECT_TRUE(has(taken.err, searched));
}

TEST_F(SweepBest, ChoosesAPointOfARecording) {
  const support::Finished found = support::expectStatus(
      0, {"sweep", "matmul_tiled", "--best", "--size", "1024", "--device", "recorded:nvidia-h200"},
      environment());
  EXPECT_TRUE(has(found.out, "recorded:nvidia-h200"));
  EXPECT_TRUE(has(found.err, "recorded on NVIDIA H200"));
  const support::Finished none = support::expectStatus(
      2, {"sweep", "matmul_tiled", "--best", "--size", "1025", "--device", "recorded:nvidia-h200"},
      environment());
  EXPECT_TRUE(has(none.err, "m 1024, n 1024, k 1024"));
}

}  // namespace tilestep::system_test::sweep_best_test
