// SPDX-License-Identifier: Apache-2.0
// Sweeps in a session: the order of requests, and the kept points.
#include "features/sweeps/sweeps.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "features/sweeps/view.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::sweeps_test {

namespace fs = std::filesystem;

class SweptSession : public SessionFixture {
 protected:
  void begin(SweepKind kind, SessionOptions options = {}) {
    open(std::move(options));
    settle();
    session->apply(command("sweeps.look", SweepChoice{kind, SweepQuantity::automatic, 0}));
    next();
    pollUntil([&] { return !snapshot().view<SweepsView>().pending; });
    all.clear();
  }
  const SweepView& view() {
    snapshot();
    return *kept->view<SweepsView>().picture;
  }
  /// Answers this many requests.
  void answer(int times) {
    for (int i = 0; i < 2 * times; ++i) {  // One poll sends, the next one takes the answer.
      session->poll(now += 0.1);
      for (const FakeClient::Asked& asked : log->runs)
        if (!log->isCancelled(asked.id)) all.push_back(asked.experiment);
      answerAsAsked();
    }
    session->poll(now += 0.1);
  }
  /// Removes parts of the result that were not requested.
  void answerAsAsked() {
    for (const FakeClient::Asked& asked : std::exchange(log->runs, {})) {
      if (log->isCancelled(asked.id)) {
        log->answers.push_back({asked.id, workError("cancelled")});
        continue;
      }
      lab::RunResult result = toyResult(asked.experiment);
      if (!asked.experiment.counters) result.counters.reset();
      log->answers.push_back({asked.id, lab::shared(std::move(result))});
    }
  }
  /// Waits until the worker has a point.
  void untilAsked() {
    for (int i = 0; i < 4 && log->runs.empty(); ++i) session->poll(now += 0.1);
    ASSERT_EQ(log->runs.size(), 1U);
  }
};

TEST_F(SweptSession, PointsRunOneByOneDoublingsFirst) {
  begin(SweepKind::tunable);
  session->apply(command("sweeps.run", false));
  answer(4);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].tunables.at("TILE_WIDTH"), 1);
  EXPECT_EQ(all[2].tunables.at("TILE_WIDTH"), 4);
  EXPECT_EQ(all[3].tunables.at("TILE_WIDTH"), 8);
  EXPECT_EQ(view().done, 4U);
  EXPECT_EQ(snapshot().view<SweepsView>().progress.done, 4U);
  EXPECT_EQ(snapshot().view<SweepsView>().progress.all, 64U);
  EXPECT_EQ(snapshot().view<SweepsView>().progress.what, "tiled, TILE_WIDTH 16");
  EXPECT_TRUE(snapshot().view<SweepsView>().progress.secondsLeft);
  answer(64);
  EXPECT_EQ(view().waiting, 0U);
  EXPECT_EQ(view().done, 64U);
  EXPECT_FALSE(snapshot().view<SweepsView>().progress.running);
  EXPECT_EQ(log->runs.size(), 0U);
}

TEST_F(SweptSession, ASliderInterruptsASweep) {
  begin(SweepKind::tunable);
  session->apply(command("sweeps.run", false));
  answer(2);
  untilAsked();
  const uint64_t point = log->runs[0].id;
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  session->poll(now += 0.1);
  EXPECT_TRUE(log->isCancelled(point));
  EXPECT_TRUE(snapshot().view<SweepsView>().progress.paused);
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 8);
  // No point is requested until the scene has arrived.
  for (const FakeClient::Asked& asked : log->runs)
    EXPECT_TRUE(asked.id == point || asked.experiment.traceBlock);
  answer(80);
  EXPECT_EQ(view().done, 64U);
  EXPECT_FALSE(snapshot().view<SweepsView>().progress.running);
}

TEST_F(SweptSession, ItContinuesWhileAnotherPictureIsShown) {
  begin(SweepKind::tunable);
  session->apply(command("sweeps.run", false));
  answer(2);
  session->apply(
      command("sweeps.look", SweepChoice{SweepKind::sizes, SweepQuantity::automatic, 0}));
  next();
  EXPECT_EQ(snapshot().view<SweepsView>().progress.title, "TILE_WIDTH");
  session->apply(command("sweeps.look", std::nullopt));
  answer(80);
  EXPECT_FALSE(snapshot().view<SweepsView>().picture);
  session->apply(command("sweeps.look", SweepChoice{}));
  next();
  EXPECT_EQ(view().done, 64U);
}

TEST_F(SweptSession, APointThatFailsIsAGapWithItsReason) {
  begin(SweepKind::tunable);
  session->apply(command("sweeps.run", false));
  untilAsked();
  log->fail("the compiler is gone");
  answer(70);
  EXPECT_EQ(view().missing, 1U);
  EXPECT_EQ(view().done, 63U);
  EXPECT_TRUE(has(view().cells[0].hover, "the compiler is gone"));
}

TEST_F(SweptSession, AGpuIsCountedOnlyForCountedQuantities) {
  log->gpu = true;
  begin(SweepKind::sizes);
  session->apply(command("sweeps.run", false));
  answer(60);
  ASSERT_FALSE(all.empty());
  for (const lab::Experiment& experiment : all) {
    EXPECT_EQ(experiment.device, "cuda:0");
    EXPECT_TRUE(experiment.measure);
    EXPECT_FALSE(experiment.counters);
  }
  EXPECT_EQ(view().quantity, SweepQuantity::speed);
  EXPECT_TRUE(view().cells[0].value.spread);
  EXPECT_EQ(view().waiting, 0U);
  session->apply(command("sweeps.look", SweepChoice{SweepKind::sizes, SweepQuantity::sectors, 0}));
  next();
  EXPECT_EQ(view().done, 0U);  // Times do not stand for counts.
  all.clear();
  session->apply(command("sweeps.run", false));
  answer(60);
  EXPECT_TRUE(std::ranges::all_of(all, [](const auto& e) { return e.counters && !e.measure; }));
  EXPECT_GT(view().done, 0U);
  session->apply(command("sweeps.look", SweepChoice{SweepKind::sizes, SweepQuantity::speed, 0}));
  next();
  EXPECT_EQ(view().waiting, 0U);  // And they took nothing away.
}

TEST_F(SweptSession, ChoosingAPointCanBeUndone) {
  begin(SweepKind::tunable);
  AppearanceSet looks = session->looks();
  looks.switches.stage = Stage::sweeps;
  session->setLooks(looks);
  const compile::Bindings before = snapshot().measureSizes;
  ASSERT_TRUE(session->apply(command("sweeps.go", 31)));  // tiled, TILE_WIDTH 32
  settle();
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 32);
  EXPECT_EQ(snapshot().measureSizes.at("k"), 128);
  EXPECT_EQ(session->looks().switches.stage, Stage::scene);
  session->undo();
  settle();
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 4);
  EXPECT_EQ(snapshot().measureSizes, before);
  EXPECT_EQ(session->looks().switches.stage, Stage::sweeps);
  // Choosing a point of the compared kernel swaps the two kernels.
  ASSERT_TRUE(session->apply(command("sweeps.go", 32 + 7)));
  settle();
  EXPECT_EQ(snapshot().choice.kernel, "matmul_naive");
  EXPECT_EQ(snapshot().tunables, (compile::Bindings{{"BLOCK_X", 8}, {"BLOCK_Y", 8}}));
  EXPECT_EQ(snapshot().choice.comparison.kernel, "matmul_tiled");
}

TEST_F(SweptSession, TheCellOfThePresentChoiceIsMarked) {
  begin(SweepKind::tunable);
  const auto nowOf = [&] {
    std::vector<size_t> cells;
    for (size_t i = 0; i < view().cells.size(); ++i)
      if (view().cells[i].now) cells.push_back(i);
    return cells;
  };
  EXPECT_EQ(nowOf(), (std::vector<size_t>{3, 32 + 3}));
  session->apply(command("tuning.set", "TILE_WIDTH", 16));
  settle();
  EXPECT_EQ(nowOf(), (std::vector<size_t>{15, 32 + 15}));
}

TEST_F(SweptSession, PointsAreKeptOverARestart) {
  const fs::path folder = fs::path(::testing::TempDir()) / "sweeps_restart";
  fs::remove_all(folder);
  SessionOptions options;
  options.pointsFile = (folder / "points.db").string();
  begin(SweepKind::tunable, options);
  session->apply(command("sweeps.run", false));
  answer(10);
  session.reset();
  log = std::make_shared<FakeClient::Log>();
  begin(SweepKind::tunable, options);
  EXPECT_EQ(view().done, 10U);
  session->apply(command("sweeps.run", false));
  answer(70);
  EXPECT_EQ(all.size(), 54U);
  // All points run again, and the old ones are removed from the file.
  all.clear();
  session->apply(command("sweeps.run", true));
  EXPECT_EQ(snapshot().view<SweepsView>().progress.running, false);  // Not published yet.
  next();
  EXPECT_EQ(view().done, 0U);
  answer(70);
  EXPECT_EQ(all.size(), 64U);
  fs::remove_all(folder);
}

TEST_F(SweptSession, AnUnwritableFolderIsReported) {
  const std::string file = ::testing::TempDir() + "no_folder_for_sweeps";
  ASSERT_TRUE(writeFileAtomically(file, "a file"));
  SessionOptions options;
  options.pointsFile = file + "/points.db";
  begin(SweepKind::tunable, options);
  session->apply(command("sweeps.run", false));
  answer(1);
  ASSERT_TRUE(pollUntil([&] { return notice("kept sweeps") != nullptr; }));
  EXPECT_TRUE(has(notice("kept sweeps")->text, "only kept until the window closes"));
  std::filesystem::remove(file);
}

TEST_F(SweptSession, AnUnusableKernelLeavesThePicture) {
  begin(SweepKind::tunable);
  session->apply(command("sweeps.run", false));
  answer(2);
  const size_t done = view().done;
  EXPECT_GT(done, 0U);
  const std::string file = ::testing::TempDir() + "half_edited.cu";
  ASSERT_TRUE(writeFileAtomically(file, "__global__ void broken("));
  session->apply(command("choice.kernel", file));
  next();
  ASSERT_TRUE(kept->broken);
  ASSERT_TRUE(kept->view<SweepsView>().picture);
  EXPECT_GE(view().done, done);
  std::filesystem::remove(file);
}

TEST_F(SweptSession, ThreeLostWorkersEndTheSweep) {
  begin(SweepKind::tunable);
  session->apply(command("sweeps.run", false));
  for (int i = 0; i < 3; ++i) {
    untilAsked();
    for (const FakeClient::Asked& asked : std::exchange(log->runs, {}))
      log->answers.push_back({asked.id, workError("The worker ended."), true});
    session->poll(now += 0.1);
  }
  next();
  EXPECT_FALSE(snapshot().view<SweepsView>().progress.running);
  ASSERT_NE(notice("sweep"), nullptr);
  EXPECT_TRUE(has(notice("sweep")->text, "three times"));
}

TEST_F(SweptSession, ARecordingThatCannotBeReadHereIsRequestedFromTheWorker) {
  log->recording = true;
  SessionOptions options;
  options.device = "recorded:test-gpu";  // The worker's; there is no such file here.
  begin(SweepKind::tunable, options);
  for (int i = 0; i < 1000 && !snapshot().view<SweepsView>().picture; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    next();
  }
  ASSERT_TRUE(snapshot().view<SweepsView>().picture);
  EXPECT_EQ(view().waiting, 64U);
  session->apply(command("sweeps.run", false));
  answer(70);
  EXPECT_EQ(view().done, 64U);
  EXPECT_TRUE(std::ranges::all_of(all, &lab::Experiment::onlyRecorded));
}

}  // namespace tilestep::features::sweeps_test
