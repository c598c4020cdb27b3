// SPDX-License-Identifier: Apache-2.0
// All stages of an experiment on the interpreter, with whatever compiler is installed.
#include "lab/lab.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::lab::lab_test {

class LabRun : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(lab.compiler()) << lab.compiler().error().message; }
  static Experiment tiled(int64_t size) {
    const auto source = compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled");
    EXPECT_TRUE(source);
    Experiment experiment;
    experiment.source = *source;
    experiment.sizes = {{"m", size}, {"n", size}, {"k", size}};
    experiment.tunables = {{"TILE_WIDTH", 4}};
    experiment.device = "simt";
    return experiment;
  }
  static bool never() { return false; }

  Lab lab{{support::sourceRoot(), "", 1}};
};

TEST_F(LabRun, ReportsItsStagesAndGivesTheRequestedParts) {
  Experiment experiment = tiled(10);
  experiment.check = experiment.counters = true;
  experiment.pictureSide = 5;
  experiment.traceBlock = Dim3{1, 2, 0};
  std::vector<std::string> stages;
  const auto result = valueOrThrow(lab.run(experiment, never, [&](const Stage& stage) {
    // The stage is reported repeatedly while it runs.
    if (stages.empty() || stages.back() != stage.text) stages.push_back(stage.text);
  }));
  EXPECT_TRUE(result.clean());
  EXPECT_EQ(stages,
            (std::vector<std::string>{"compiling matmul_tiled", "running on SIMT interpreter",
                                      "checking against float64"}));
  EXPECT_EQ(result.kernel, "matmul_tiled");
  EXPECT_EQ(result.plan.tunables.at("TILE_WIDTH"), 4);
  EXPECT_TRUE(result.counters);
  EXPECT_FALSE(result.measurement);
  ASSERT_EQ(result.pictures.size(), 1U);
  EXPECT_EQ(result.pictures[0].operand, 2U);
  EXPECT_EQ(result.pictures[0].width, 5U);
  ASSERT_TRUE(result.trace);
  EXPECT_EQ(result.trace->block, (Dim3{1, 2, 0}));
  ASSERT_EQ(result.trace->sharedArrays.size(), 2U);
  EXPECT_EQ(result.trace->sharedArrays[0].name, "Mds");
  EXPECT_EQ(result.trace->sharedArrays[1].offset, 64U);
  EXPECT_GT(result.wallSeconds, 0);
}

// Two blocks of eight phases. Each phase loads 32 x 8 elements of M one by one and 8 x 64 elements
// of N in groups of four, which are 8 and 4 requests of a warp.
TEST_F(LabRun, AsynchronousCopiesAreCounted) {
  const auto source = compile::findKernel(support::sourceRoot() + "/kernels", "rung10_async");
  ASSERT_TRUE(source);
  Experiment experiment;
  experiment.source = *source;
  experiment.tunables = {{"TILE_M", 32}, {"TILE_N", 64}, {"TILE_K", 8}, {"ROWS", 4}, {"COLS", 4}};
  experiment.sizes = {{"m", 64}, {"n", 64}, {"k", 64}};
  experiment.device = "simt";
  experiment.counters = true;
  const auto result = valueOrThrow(lab.run(experiment, never, {}));
  EXPECT_FALSE(result.asyncCopies) << "nothing is left out";
  const trace::Counters& total = result.counters->total;
  // M: each request reads 4 rows of one sector. N: each request reads 2 rows of 8 sectors.
  EXPECT_EQ(total.globalLoad,
            (trace::GlobalCounts{16 * (256 + 128), 16 * (8 + 4), 16 * (8 * 4 + 4 * 16),
                                 16 * (1024 + 2048), 16 * (1024 + 2048)}));
  // M is transposed to rows of 36 slots, which avoids bank conflicts. N's 128 words need 4
  // wavefronts.
  EXPECT_EQ(total.sharedStore, (trace::SharedCounts{16 * (8 + 4), 16 * (8 * 1 + 4 * 4), 0}));
}

std::vector<std::vector<std::byte>> bytesOf(const trace::BlockTrace& recording) {
  std::vector<std::vector<std::byte>> bytes;
  for (const trace::BlockTrace::Column& column : recording.columns()) bytes.push_back(column.bytes);
  return bytes;
}

TEST_F(LabRun, ASingleBlockRunAloneHasTheSameTrace) {
  for (const char* kernel : {"matmul_tiled", "matmul_naive", "transpose", "matrix_sum"}) {
    Experiment experiment;
    experiment.source = *compile::findKernel(support::sourceRoot() + "/kernels", kernel);
    experiment.device = "simt";
    experiment.sizes = {{"m", 37}, {"n", 37}};
    if (std::string(kernel).starts_with("matmul")) experiment.sizes["k"] = 37;
    experiment.check = experiment.counters = true;
    experiment.traceBlock = Dim3{1, 1, 0};
    const auto whole = lab.run(experiment, never, {});
    experiment.blockAlone = true;
    const auto alone = lab.run(experiment, never, {});
    ASSERT_TRUE(whole) << toString(whole.error());
    ASSERT_TRUE(alone) << toString(alone.error());
    EXPECT_EQ(bytesOf(*alone->trace), bytesOf(*whole->trace)) << kernel;
    EXPECT_TRUE(alone->blockAlone && !whole->blockAlone);
    EXPECT_TRUE(alone->clean()) << kernel;
    EXPECT_FALSE(alone->check) << "outputs of one block are not all outputs";
    EXPECT_LT(alone->counters->total.globalStore.threads,
              whole->counters->total.globalStore.threads);
  }
}

TEST_F(LabRun, AStoppedLaunchIsNotJudgedAndItsFailedBlockIsTraced) {
  Experiment experiment = tiled(8);
  const std::string guarded = "N[(ph * TILE_WIDTH + ty) * n + col]";
  ASSERT_TRUE(has(experiment.source.text, guarded));
  experiment.source.text.replace(experiment.source.text.find(guarded), guarded.size(), "N[-1]");
  experiment.check = true;
  for (const Dim3 block : {Dim3{1, 1, 0}, Dim3{0, 0, 0}}) {
    experiment.traceBlock = block;
    experiment.blocksInTurn = true;
    const auto result = valueOrThrow(lab.run(experiment, never, {}));
    ASSERT_EQ(result.faults.size(), 1U);
    EXPECT_FALSE(result.check);
    EXPECT_TRUE(has(result.checkNote, "the launch was stopped at line "));
    EXPECT_FALSE(result.clean());
    ASSERT_TRUE(result.trace);
    EXPECT_EQ(result.trace->block, (Dim3{0, 0, 0})) << "the only block that began";
    EXPECT_GT(result.trace->size(), 0U);
    EXPECT_EQ(result.traceNote.empty(), block == (Dim3{0, 0, 0})) << result.traceNote;
  }
}

TEST_F(LabRun, BlocksInTurnGiveTheSameCountsWithAnyNumberOfThreads) {
  Experiment experiment;
  experiment.source = *compile::findKernel(support::sourceRoot() + "/tests/corpus", "flag_chain");
  experiment.device = "simt";
  experiment.sizes = {{"n", 20000}};
  experiment.counters = experiment.blocksInTurn = true;
  const auto one = valueOrThrow(lab.run(experiment, never, {}));
  ASSERT_TRUE(one.counters);
  Lab onEight{{support::sourceRoot(), "", 8}};
  const auto eight = valueOrThrow(onEight.run(experiment, never, {}));
  EXPECT_EQ(eight.counters->total, one.counters->total);
  experiment.blocksInTurn = false;
  const auto together = valueOrThrow(onEight.run(experiment, never, {}));
  EXPECT_EQ(together.outputHash, one.outputHash) << "only what is counted depends on the order";
}

/// Sleeps past the time limit when a stage begins.
class LateStage {
 public:
  LateStage(std::string text, double seconds) : text_(std::move(text)), seconds_(seconds) {}
  void operator()(const Stage& stage) {
    if (stage.text != text_ || std::exchange(isOver_, true)) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds_));
  }

 private:
  std::string text_;
  double seconds_;
  bool isOver_ = false;
};

TEST_F(LabRun, ATimeoutBeforeTheLaunchIsAnErrorThatNamesTheStage) {
  Experiment experiment = tiled(8);
  ASSERT_TRUE(lab.run(experiment, never, {})) << "so that it is compiled";
  experiment.timeoutSeconds = 1;
  const auto late = lab.run(experiment, never, LateStage("running on SIMT interpreter", 1));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, ErrorKind::work);
  EXPECT_TRUE(late.error().late);
  for (const char* part : {"filling the operands had not ended", "1.00 s", "--timeout"})
    EXPECT_TRUE(has(late.error().message, part));
  const auto compiling = lab.run(experiment, never, LateStage("compiling matmul_tiled", 1));
  ASSERT_FALSE(compiling);
  EXPECT_TRUE(compiling.error().late);
  EXPECT_TRUE(has(compiling.error().message, "compiling kernels/matmul_tiled.cu had not ended"));
}

TEST_F(LabRun, ALateCheckJudgesNothing) {
  Experiment experiment = tiled(8);
  ASSERT_TRUE(lab.run(experiment, never, {})) << "so that it is compiled";
  experiment.check = experiment.counters = true;
  experiment.timeoutSeconds = 2;
  const auto result =
      valueOrThrow(lab.run(experiment, never, LateStage("checking against float64", 2)));
  EXPECT_FALSE(result.check);
  EXPECT_EQ(result.checkNote.find("the check had not ended when the time limit of 2.00 s"), 0U)
      << result.checkNote;
  ASSERT_EQ(result.faults.size(), 1U);
  EXPECT_EQ(result.faults[0].kind, "time-limit");
  EXPECT_FALSE(device::endsLaunch(result.faults[0]));
  EXPECT_FALSE(result.clean());
  EXPECT_NE(result.outputHash, 0U) << "this takes a moment";
  EXPECT_TRUE(result.counters) << "what was counted holds";
}

TEST_F(LabRun, CancellingIsNoticedInEveryStage) {
  Experiment experiment = tiled(8);
  experiment.check = true;
  for (const char* stage :
       {"compiling matmul_tiled", "running on SIMT interpreter", "checking against float64"}) {
    bool isCancelled = false;
    EXPECT_TRUE(
        fails(lab.run(
                  experiment, [&] { return isCancelled; },
                  [&](const Stage& now) { isCancelled = isCancelled || now.text == stage; }),
              "cancelled"))
        << stage;
  }
}

}  // namespace tilestep::lab::lab_test
