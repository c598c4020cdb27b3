// SPDX-License-Identifier: Apache-2.0
// Grids that are too large to be run for a scene. Only the chosen block is run, and its scene is
// made without delaying frames.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <future>
#include <thread>

#include "features/gains/view.h"
#include "features/roofline/roofline_view.h"
#include "features/traffic/view.h"
#include "model/scene/seeded_values.h"
#include "model/scene/traced_kernel_maker.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::large_scene_test {

class LargeScene : public SessionFixture {
 protected:
  void SetUp() override {
    SessionOptions options;
    options.sizes = {{"m", 4096}, {"n", 4096}, {"k", 4096}};
    open(options);
  }
  void settle() {
    for (int i = 0; i < 5000; ++i) {
      session->poll(now += 0.05);
      for (const auto& asked : log->runs) all.push_back(asked.experiment);
      log->answerRuns();
      const Busy& busy = session->snapshot()->busy;
      if (i > 8 && !busy.scene && !busy.measure && !busy.count) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "the session never settles";
  }
};

TEST_F(LargeScene, RunsOnlyTheChosenBlockAndOnlyOnce) {
  settle();
  ASSERT_EQ(all.size(), 2U) << "only main and companion are requested, each once";
  for (const lab::Experiment& experiment : all) {
    EXPECT_TRUE(experiment.blockAlone);
    EXPECT_EQ(experiment.sizes.at("k"), 4096);
  }
  const auto snapshot = session->snapshot();
  ASSERT_TRUE(snapshot->main && snapshot->companion);
  EXPECT_FALSE(snapshot->sceneStale);
  EXPECT_EQ(snapshot->main->side->phases(), 1024U);
  EXPECT_FALSE(snapshot->main->side->inputs[0]) << "no 64 MiB are kept";
}

TEST_F(LargeScene, FiguresOfOneBlockAreMarkedAsSuch) {
  settle();
  const auto snapshot = session->snapshot();
  EXPECT_TRUE(snapshot->figuresOfBlock);
  EXPECT_TRUE(
      has(snapshot->view<features::TrafficView>().grid.title, "only block (0, 0) of 1,048,576"));
  EXPECT_TRUE(has(snapshot->view<features::GainsView>().ratios.of, "only block (0, 0)"));
  EXPECT_TRUE(snapshot->view<features::RooflineView>().points.empty())
      << "a block's counts are not the launch's";
  EXPECT_TRUE(snapshot->history.empty());
  EXPECT_TRUE(snapshot->countable);
  session->apply(command("figures.count"));
  settle();
  EXPECT_FALSE(session->snapshot()->figuresOfBlock);
  EXPECT_FALSE(all.back().blockAlone) << "a count runs all blocks";
}

TEST_F(LargeScene, ASmallSceneRunsTheWholeGridAgain) {
  settle();
  session->apply(command("choice.scene_size", "m", 16));
  settle();
  EXPECT_FALSE(all.back().blockAlone);
  EXPECT_TRUE(all.back().check);
  EXPECT_FALSE(session->snapshot()->figuresOfBlock);
  EXPECT_TRUE(session->snapshot()->main->side->inputs[0]);
}

TEST_F(LargeScene, AGpuRunsAllBlocksWithoutComparison) {
  log->gpu = true;
  settle();
  const auto traced = [](const lab::Experiment& e) { return e.traceBlock && e.device == "cuda:0"; };
  ASSERT_GT(std::ranges::count_if(all, traced), 0);
  for (const lab::Experiment& experiment : all) {
    if (!traced(experiment)) continue;
    EXPECT_FALSE(experiment.blockAlone);
    EXPECT_FALSE(experiment.check) << "float64 would take too long";
  }
}

/// The first `share` of a recording, as if a device had run out of memory there.
trace::BlockTrace cut(const trace::BlockTrace& whole, double share) {
  trace::BlockTrace some(static_cast<size_t>(static_cast<double>(whole.bytes()) * share));
  some.blockShape = whole.blockShape;
  some.sharedArrays = whole.sharedArrays;
  some.accumulators = whole.accumulators;
  some.feeds = whole.feeds;
  for (size_t i = 0; i < whole.size(); ++i)
    if (!some.append(whole.event(i))) break;
  some.finish();
  return some;
}

std::shared_ptr<const TracedKernel> cutSide(const std::string& kernel) {
  compile::CatalogueEntry entry;
  entry.source = compile::findKernel(support::sourceRoot() + "/kernels", kernel).value();
  entry.spec = compile::parseKernel(entry.source).value();
  lab::Experiment experiment;
  experiment.source = entry.source;
  experiment.sizes = {{"m", 16}, {"n", 16}, {"k", 16}};
  if (kernel == "matmul_tiled") experiment.tunables = {{"TILE_WIDTH", 4}};
  experiment.traceBlock = Dim3{0, 0, 0};
  lab::RunResult result = toyResult(experiment);
  result.trace = std::make_shared<const trace::BlockTrace>(cut(*result.trace, 0.6));
  EXPECT_TRUE(result.trace->truncated());
  return traceKernel(entry, lab::shared(std::move(result)), 1, 4);
}

TEST(CutTraces, OnlyCompleteEpochsAreShown) {
  const auto side = cutSide("matmul_tiled");
  ASSERT_TRUE(side);
  EXPECT_TRUE(side->replay->recording().truncated());
  EXPECT_EQ(side->phases(), 4U) << "the phases of the run, not only the recorded ones";
  const PhaseFacts first = side->facts.front();
  const size_t seen = side->tallies.phases.size();
  ASSERT_GE(seen, 2U);
  ASSERT_LT(seen, 4U);
  EXPECT_EQ(side->facts[seen - 2].loads, first.loads);
}

TEST(CutTraces, NoEpochIsCompleteWithoutABarrier) {
  EXPECT_FALSE(cutSide("matmul_naive"));
}

TEST(SeededValues, EqualTheOperandsValues) {
  for (const ElementType type :
       {ElementType::f32, ElementType::f64, ElementType::f16, ElementType::u8, ElementType::i32}) {
    compile::ResolvedOperand resolved;
    resolved.spec.type = type;
    resolved.elements = 3000;
    resolved.rows = 3;
    resolved.columns = 1000;
    device::Operand operand;
    operand.type = type;
    operand.elements = resolved.elements;
    const std::vector<std::byte> bytes = device::fillOperand(operand, 2, 7, std::byte{0});
    const SeededValues values(resolved, 2, 7);
    std::vector<float> some(1500);
    values.read(700, some.size(), some.data());
    for (size_t i = 0; i < some.size(); i += 37) {
      compile::ResolvedOperand one = resolved;
      float single = 0;
      SeededValues(one, 2, 7).read(700 + i, 1, &single);
      EXPECT_EQ(some[i], single);
    }
    if (type != ElementType::f32) continue;
    EXPECT_EQ(std::memcmp(some.data(), bytes.data() + 700 * 4, some.size() * 4), 0);
    EXPECT_TRUE(values.sameAs(SeededValues(resolved, 2, 7)));
    EXPECT_FALSE(values.sameAs(SeededValues(resolved, 1, 7)));
  }
}

TEST(TracedKernelMaker, ReturnsOnlyWantedKernels) {
  TracedKernelMaker maker;
  std::promise<void> go;
  auto wait = go.get_future().share();
  const auto side = std::make_shared<const TracedKernel>();
  maker.start(kSceneJob, "old", [=] {
    wait.wait();
    return side;
  });
  maker.start(kSceneJob, "new", [=] { return side; });
  maker.start(kCompanionJob, "beside", [=] { return side; });
  maker.drop(kCompanionJob);
  EXPECT_TRUE(maker.makes(kSceneJob, "new"));
  EXPECT_FALSE(maker.makes(kSceneJob, "old"));
  EXPECT_TRUE(maker.take().empty());
  go.set_value();
  std::vector<TracedKernelMaker::Made> made;
  while (maker.busy()) {
    for (auto& one : maker.take()) made.push_back(std::move(one));
    std::this_thread::yield();
  }
  ASSERT_EQ(made.size(), 1U);
  EXPECT_EQ(made[0].key, "new");
  EXPECT_EQ(made[0].side, side);
}

}  // namespace tilestep::model::large_scene_test
