// SPDX-License-Identifier: Apache-2.0
// The ladder in a session: its requests and their order.
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "features/sweeps/view.h"
#include "lab/points/points_file.h"
#include "lab/recording/recording.h"
#include "lab/tune/tuned.h"
#include "model/export/table.h"
#include "support/results.h"
#include "unit/features/sweeps/ladder_fixture.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::ladder_session_test {

class LadderSession : public SessionFixture {};

TEST_F(LadderSession, RunAgainCountsFailedRungsAgain) {
  log->gpu = true;
  open();
  settle();
  session->apply(
      command("sweeps.look", SweepChoice{SweepKind::ladder, SweepQuantity::automatic, 0}));
  const auto counting = [](const FakeClient::Asked& asked) {
    return asked.experiment.source.path.find("/ladder/") != std::string::npos;
  };
  for (int i = 0; i < 40 && std::ranges::none_of(log->runs, counting); ++i) {
    log->answerRuns();
    session->poll(now += 0.1);
  }
  ASSERT_TRUE(std::ranges::any_of(log->runs, counting));
  log->fail("The compiler has no memory.");
  for (int i = 0; i < 8; ++i) settle();
  const auto uncounted = [&] {
    const auto& rows = snapshot().view<SweepsView>().ladder->rows;
    return std::ranges::count_if(rows, [](const LadderRow& row) {
      return inFull(row).find("could not be") != std::string::npos;
    });
  };
  ASSERT_TRUE(snapshot().view<SweepsView>().ladder);
  EXPECT_EQ(uncounted(), 1);
  session->apply(command("sweeps.run", true));
  for (int i = 0; i < 12; ++i) settle();
  EXPECT_EQ(uncounted(), 0);
}

TEST_F(LadderSession, UsesTheResultsOfASearchOnTheDevice) {
  const auto folder =
      std::filesystem::path(testing::TempDir()) / ("tilestep-ladder-" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  log->gpu = true;
  SessionOptions options;
  options.pointsFile = (folder / "points.db").string();
  open(std::move(options));
  settle();
  const auto entry = std::ranges::find_if(*snapshot().catalogue, [](const auto& one) {
    return one.spec && one.spec->name == "rung13_top";
  });
  ASSERT_NE(entry, snapshot().catalogue->end());
  lab::Tuned tuned{"rung13_top", lab::programHashOf(entry->source, *entry->spec),
                   "Test GPU",   {},
                   {},           0.05,
                   191,          37800,
                   "2026-11-21"};
  tuned.sizes = entry->spec->sizes;
  for (auto& [name, value] : tuned.sizes)
    value = snapshot().measureSizes.contains(name) ? snapshot().measureSizes.at(name) : value;
  tuned.tunables = {{"COLS", 8},   {"GROUP", 32}, {"N_FIRST", 1}, {"ROWS", 8},    {"SHARERS", 0},
                    {"STAGES", 6}, {"TILE_K", 8}, {"TILE_M", 64}, {"TILE_N", 128}};
  {
    const auto file = lab::openPoints(folder / "points.db");
    ASSERT_TRUE(file && lab::keepTuned(*file, *entry->spec, tuned));
  }
  session->apply(
      command("sweeps.look", SweepChoice{SweepKind::ladder, SweepQuantity::automatic, 0}));
  ASSERT_TRUE(pollUntil([&] { return snapshot().view<SweepsView>().ladder != nullptr; }));
  for (int i = 0; i < 4; ++i) settle();
  const auto rowOf = [&] {
    return *std::ranges::find(snapshot().view<SweepsView>().ladder->rows, "rung13_top",
                              &LadderRow::kernel);
  };
  EXPECT_TRUE(pollUntil([&] { return rowOf().from.name == "best known"; }));
  EXPECT_TRUE(has(rowOf().tunables, "GROUP 32"));
  EXPECT_EQ(std::ranges::find(snapshot().view<SweepsView>().ladder->rows, "rung10_async",
                              &LadderRow::kernel)
                ->from.name,
            "default");
  std::filesystem::remove_all(folder);
}

TEST_F(LadderSession, CountsAutomaticallyAndMeasuresOnCommand) {
  log->gpu = true;
  open();
  settle();
  all.clear();
  session->apply(
      command("sweeps.look", SweepChoice{SweepKind::ladder, SweepQuantity::automatic, 0}));
  for (int i = 0; i < 8; ++i) settle();
  ASSERT_TRUE(snapshot().view<SweepsView>().ladder);
  EXPECT_EQ(snapshot().view<SweepsView>().ladder->progress, "");
  size_t counted = 0;
  for (const lab::Experiment& experiment : all) {
    if (experiment.source.path.find("/ladder/") == std::string::npos) continue;
    ++counted;
    EXPECT_EQ(experiment.device, "simt");
    EXPECT_FALSE(experiment.measure);
    EXPECT_EQ(experiment.sizes.at("m"), kLadderCountSide);
    const int64_t k = experiment.sizes.at("k");
    EXPECT_TRUE(k == kLadderCountSide || k == kLadderCountDeep) << k;
  }
  EXPECT_GE(counted, 28U);
  all.clear();
  session->apply(command("sweeps.run", false));
  for (int i = 0; i < 6; ++i) settle();
  size_t measured = 0;
  for (const lab::Experiment& experiment : all) measured += experiment.measure ? 1 : 0;
  EXPECT_EQ(measured, snapshot().view<SweepsView>().picture->plan->legalPoints());
  const Table twin = tableOf("sweep", snapshot());
  EXPECT_EQ(twin.rows.size(), snapshot().view<SweepsView>().ladder->rows.size());
  EXPECT_EQ(twin.columns.front(), "rung");
  EXPECT_FALSE(
      session->apply(command("sweeps.go", twin.rows.size() - 1)));  // A library has no steps.
}

}  // namespace tilestep::features::ladder_session_test
