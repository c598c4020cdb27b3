// SPDX-License-Identifier: Apache-2.0
// A sweep's plot filled by a GPU through a worker process, as in the window: a slider move
// interrupts it, and the points exist after a restart. Prints times; asserts nothing about them.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/files.h"
#include "features/registry.h"
#include "features/sweeps/ladder_view.h"
#include "features/sweeps/view.h"
#include "model/session.h"
#include "support/gpu_there.h"
#include "support/results.h"
#include "support/skips.h"

namespace tilestep::model::sweep_test {

using Clock = std::chrono::steady_clock;

class GpuSweep : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = support::whyNoGpu()) {
      GTEST_SKIP() << support::because(support::kNoGpu, *why);
    }
  }
  void open(const std::string& folder) {
    SessionOptions options;
    const auto home = findHome();
    ASSERT_TRUE(home);
    options.home = home->string();
    options.pointsFile = folder.empty() ? "" : folder + "/points.db";
    options.tunables = {{"TILE_WIDTH", 16}};
    session = std::make_unique<Session>(options, features::makeFeatures());
    const auto program = programPath().parent_path() / "tilestep";
    auto started =
        valueOrThrow(worker::Client::start({"'" + program.string() + "' worker", 0, {}}));
    session->connect(std::move(started));
    ASSERT_TRUE(until([&] { return !session->snapshot()->device.empty(); }));
  }
  bool until(const std::function<bool()>& isSo) {
    const auto begun = Clock::now();
    for (;;) {
      const std::chrono::duration<double> passed = Clock::now() - begun;
      session->poll(std::chrono::duration<double>(Clock::now().time_since_epoch()).count());
      if (isSo()) return true;
      if (passed.count() > 90) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
    }
  }
  const features::SweepView* view() {
    kept = session->snapshot();
    return kept->view<features::SweepsView>().picture.get();
  }
  std::unique_ptr<Session> session;
  std::shared_ptr<const Snapshot> kept;
};

TEST_F(GpuSweep, IsMeasuredThroughTheWorker) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "gpu_sweep";
  std::filesystem::remove_all(folder);
  open(folder.string());
  ASSERT_TRUE(session->snapshot()->measures) << "there is a GPU, and the worker does not use it";
  session->apply(command("sweeps.look", SweepChoice{}));
  ASSERT_TRUE(until([&] { return view() != nullptr; }));
  const auto begun = Clock::now();
  session->apply(command("sweeps.run", false));
  ASSERT_TRUE(until([&] { return view()->done >= 3; }));
  const auto moved = Clock::now();
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  ASSERT_TRUE(until([&] {
    const auto& main = session->snapshot()->figuresMain;
    return main && !session->snapshot()->figuresStale && main->plan.tunables.at("TILE_WIDTH") == 8;
  }));
  const std::chrono::duration<double> took = Clock::now() - moved;
  ASSERT_TRUE(until([&] { return view()->waiting == 0; }));
  const std::chrono::duration<double> all = Clock::now() - begun;
  std::printf("%s\n%s: %zu points in %.1f s; a slider's point came after %.2f s\n",
              view()->story.c_str(), view()->origin.c_str(), view()->done, all.count(),
              took.count());
  EXPECT_EQ(view()->done, 64U);
  EXPECT_EQ(view()->missing, 0U);
  for (const features::SweepCell& cell : view()->cells) {
    EXPECT_GT(cell.value.value, 0);
    EXPECT_TRUE(cell.value.spread);
    EXPECT_LE(cell.value.low, cell.value.value);
    EXPECT_GE(cell.value.high, cell.value.value);
  }
  const double best = view()->high;
  session.reset();
  open(folder.string());
  session->apply(command("sweeps.look", SweepChoice{}));
  ASSERT_TRUE(until([&] { return view() != nullptr; }));
  EXPECT_EQ(view()->done, 64U);
  EXPECT_EQ(view()->high, best);
  std::filesystem::remove_all(folder);
}

TEST_F(GpuSweep, TheLadderIsMeasuredAndExplained) {
  open({});
  ASSERT_TRUE(session->snapshot()->measures) << "there is a GPU, and the worker does not use it";
  for (const char* size : {"m", "n", "k"})
    session->apply(command("choice.measure_size", size, 1024));
  session->apply(
      command("sweeps.look", SweepChoice{SweepKind::ladder, SweepQuantity::automatic, 0}));
  ASSERT_TRUE(
      until([&] { return session->snapshot()->view<features::SweepsView>().ladder != nullptr; }));
  session->apply(command("sweeps.run", false));
  ASSERT_TRUE(until([&] {
    return view()->waiting == 0 && !kept->view<features::SweepsView>().progress.running &&
           kept->view<features::SweepsView>().ladder->progress.empty();
  }));
  for (const features::LadderRow& row : kept->view<features::SweepsView>().ladder->rows) {
    std::printf("%-28s %s\n", row.kernel.c_str(), row.sentence.c_str());
    if (row.library || row.otherPrecision || row.state == features::SweepCell::State::illegal)
      continue;
    ASSERT_TRUE(row.speed) << row.kernel << ": " << row.gap;
    EXPECT_TRUE(row.registers) << row.kernel;
    EXPECT_TRUE(row.occupancy) << row.kernel;
    ASSERT_TRUE(row.predicted) << row.kernel;
    // Nothing is faster than its limit: counts of PTX equal the machine's except for merged shared
    // loads and for instructions.
    if (row.limits->limit == metrics::Resource::l1) {
      EXPECT_LE(*row.reached, 1.05) << row.kernel;
    }
    if (kept->view<features::SweepsView>().ladder->peak) {
      EXPECT_LE(row.speed->value, *kept->view<features::SweepsView>().ladder->peak * 1.05)
          << row.kernel;
    }
  }
}

}  // namespace tilestep::model::sweep_test
