// SPDX-License-Identifier: Apache-2.0
// The ladder in a session: what it asks the worker for, and when.
#include <algorithm>

#include "session/twin.h"
#include "unit/session/ladder_fixture.h"
#include "unit/session/session_fixture.h"

namespace tilestep::session {
namespace {

class LadderSession : public SessionFixture {};

TEST_F(LadderSession, RunAgainAsksForRungsThatCouldNotBeCounted) {
  log->gpu = true;
  open();
  settle();
  session->lookAtSweep(SweepChoice{SweepKind::ladder, SweepQuantity::automatic, 0});
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
    const auto& rows = snapshot().ladder->rows;
    return std::ranges::count_if(rows, [](const LadderRow& row) {
      return inFull(row).find("could not be") != std::string::npos;
    });
  };
  ASSERT_TRUE(snapshot().ladder);
  EXPECT_EQ(uncounted(), 1);
  session->runSweep(true);
  for (int i = 0; i < 12; ++i) settle();
  EXPECT_EQ(uncounted(), 0);
}

TEST_F(LadderSession, CountsByItselfInTheInterpreterAndMeasuresWhenAsked) {
  log->gpu = true;
  open();
  settle();
  all.clear();
  session->lookAtSweep(SweepChoice{SweepKind::ladder, SweepQuantity::automatic, 0});
  for (int i = 0; i < 8; ++i) settle();
  ASSERT_TRUE(snapshot().ladder);
  EXPECT_EQ(snapshot().ladder->progress, "");
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
  session->runSweep(false);
  for (int i = 0; i < 6; ++i) settle();
  size_t measured = 0;
  for (const lab::Experiment& experiment : all) measured += experiment.measure ? 1 : 0;
  EXPECT_EQ(measured, snapshot().sweep->plan->legalPoints());
  const Twin twin = twinOf(ViewKind::sweep, snapshot(), false, false);
  EXPECT_EQ(twin.rows.size(), snapshot().ladder->rows.size());
  EXPECT_EQ(twin.columns.front(), "rung");
  EXPECT_FALSE(session->goToSweepPoint(twin.rows.size() - 1));  // A library has no steps.
}

}  // namespace
}  // namespace tilestep::session
