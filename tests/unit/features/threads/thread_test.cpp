// SPDX-License-Identifier: Apache-2.0
// The chosen thread, its steps, and the table of execution phases.
#include <gtest/gtest.h>

#include "features/phases/view.h"
#include "features/threads/view.h"
#include "model/export/table.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::thread_test {

class ThreadTest : public SessionFixture {
 protected:
  ThreadTest() {
    open();
    settle();
  }
};

TEST_F(ThreadTest, ThreadStaysChosenAndDescribesItsWork) {
  EXPECT_FALSE(next().view<ThreadsView>().main);
  session->apply(command("threads.choose", Dim3{1, 2, 0}));
  ASSERT_TRUE(next().view<ThreadsView>().main);
  EXPECT_EQ(kept->view<ThreadsView>().main->name, "(1, 2)");
  EXPECT_EQ(kept->view<ThreadsView>().main->makes, "P[2][1]");
  EXPECT_EQ(kept->view<ThreadsView>().main->reads, "row 2 of M, column 1 of N");
  EXPECT_EQ(kept->view<ThreadsView>().main->loads,
            (std::vector<std::string>{"M[2][1] → Mds[2][1]", "N[2][1] → Nds[2][1]"}));
  EXPECT_EQ(kept->view<ThreadsView>().main->sum, "nothing yet, 0 of 8 terms");
  EXPECT_EQ(kept->view<ThreadsView>().main->doing, "line 12: waits at the barrier");
  EXPECT_EQ(kept->view<ThreadsView>().main->next, "line 14: reads Mds[2][0]");
  ASSERT_TRUE(kept->view<ThreadsView>().companion);
  EXPECT_EQ(kept->view<ThreadsView>().companion->makes, "P[2][1]");
  session->apply(command("steps.move", Move::last));
  EXPECT_EQ(next().view<ThreadsView>().main->doing, "line 17: stores P[2][1]");
  EXPECT_EQ(kept->view<ThreadsView>().main->next, "done");
  // The exact sum of row 2 of M (17 to 24) and column 1 of N (66, 74, …).
  double sum = 0;
  for (int k = 0; k < 8; ++k) sum += (17.0 + k) * (66.0 + 8 * k);
  char text[64];
  std::snprintf(text, sizeof text, "%.9g, 8 of 8 terms", sum);
  EXPECT_EQ(kept->view<ThreadsView>().main->sum, text);
}

TEST_F(ThreadTest, ChoosingAThreadCanBeUndone) {
  session->apply(command("threads.choose", Dim3{1, 0, 0}));
  session->apply(command("threads.move", 5, 0));
  EXPECT_EQ(next().view<ThreadsView>().main->name, "(3, 0)");  // Stays within the block.
  session->undo();
  EXPECT_EQ(next().view<ThreadsView>().main->name, "(1, 0)");
  session->undo();
  EXPECT_FALSE(next().view<ThreadsView>().main);
  session->redo();
  EXPECT_TRUE(next().view<ThreadsView>().main);
  // A smaller block does not have this thread, so the nearest thread is shown.
  session->apply(command("threads.choose", Dim3{3, 3, 0}));
  session->apply(command("tuning.set", "TILE_WIDTH", 2));
  settle();
  EXPECT_EQ(next().view<ThreadsView>().main->name, "(1, 1)");
}

TEST_F(ThreadTest, FinestGrainStepsThroughTheThreadsEvents) {
  session->apply(command("threads.choose", Dim3{3, 1, 0}));
  session->apply(command("steps.move", Move::forward));  // The first compute epoch.
  session->apply(command("threads.step"));
  ASSERT_TRUE(next().position.ofThread);
  // 4 events to load, 1 barrier, 3 per term, 1 barrier; two phases and a store.
  EXPECT_EQ(kept->position.size, 2U * (5 + 12 + 1) + 1);
  ASSERT_TRUE(kept->view<ThreadsView>().marks);
  EXPECT_EQ(kept->view<ThreadsView>().marks->size(), kept->position.size);
  EXPECT_EQ(kept->main->step.phase, 0U);
  for (size_t i = 0; i < kept->position.size; ++i) {
    session->apply(command("steps.go", i));
    const trace::TraceEvent event = next().main->side->replay->recording().event(kept->main->index);
    EXPECT_TRUE((event.mask >> 7 & 1U) != 0 && event.warp == 0);
    EXPECT_EQ(kept->position.index, i);
    EXPECT_EQ(kept->view<ThreadsView>().main->line, event.line);
    EXPECT_DOUBLE_EQ(kept->position.share, (*kept->view<ThreadsView>().marks)[i]);
    // Moves away and back with the scrubber.
    session->apply(command("steps.share", kept->position.share));
    EXPECT_EQ(next().position.index, i);
  }
  session->apply(command("steps.grain", trace::StepGranularity::epoch));
  EXPECT_FALSE(next().position.ofThread);
  EXPECT_EQ(kept->position.index + 1, kept->position.size);
}

TEST_F(ThreadTest, StepIsKeptWhenAnotherThreadIsChosen) {
  session->apply(command("threads.step"));  // Chooses the first thread.
  session->apply(command("steps.go", 8));
  EXPECT_EQ(next().view<ThreadsView>().main->name, "(0, 0)");
  const size_t event = kept->main->index;
  session->apply(command("threads.move", 1, 0));
  EXPECT_EQ(next().main->index, event);  // The same instruction, because there is only one warp.
  session->apply(command("threads.choose", std::nullopt));
  EXPECT_FALSE(next().position.ofThread);
  EXPECT_EQ(kept->main->index, event);
}

TEST_F(ThreadTest, ClassicTableComesFromTheTrace) {
  EXPECT_FALSE(next().view<PhasesView>().main);
  session->apply(command("phases.classic"));
  settle();
  ASSERT_TRUE(next().view<PhasesView>().main);
  const PhaseTable& table = *kept->view<PhasesView>().main;
  EXPECT_EQ(table.operands, (std::vector<std::string>{"M", "N"}));
  EXPECT_EQ(table.phases, (std::vector<uint32_t>{0, 1}));
  ASSERT_EQ(table.rows.size(), 4U);
  const PhaseTable::Cell& cell = table.rows[1].phases[1];  // Thread (1, 0), second phase.
  EXPECT_EQ(cell.loads[0].from, "M[0][3]");
  EXPECT_EQ(cell.loads[0].to, "Mds[0][1]");
  EXPECT_EQ(cell.loads[1].from, "N[2][1]");
  EXPECT_EQ(cell.loads[1].to, "Nds[0][1]");
  EXPECT_EQ(cell.gain, (std::vector<std::string>{"Mds[0][0]·Nds[0][1]", "+ Mds[0][1]·Nds[1][1]"}));
  // 1·18 + 2·22 + 3·26 + 4·30.
  EXPECT_EQ(cell.sum, "260");
  const Table twin = tableOf("phases", *kept);
  const std::string csv = csvOf(twin);
  EXPECT_TRUE(has(csv,
                  "thread x,thread y,warp,phase,load of M,slot of M,load of N,slot of N,sum gains,"
                  "sum after\n",
                  "1,0,0,1,M[0][3],Mds[0][1],N[2][1],Nds[0][1],"
                  "Mds[0][0]·Nds[0][1] + Mds[0][1]·Nds[1][1],260\n"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 9);
  EXPECT_EQ(std::ranges::count(textOf(twin), '\n'), 2 + 9);
  EXPECT_EQ(kept->view<PhasesView>().companion->rows[0].phases[0].loads[0].from, "M[0][0…1]");
  EXPECT_EQ(kept->view<PhasesView>().companion->rows[0].phases[0].gain[0], "M[0][0]·N[0][0]");
}

TEST_F(ThreadTest, UnverifiedFactorsAreNotShown) {
  session->apply(command("phases.table", true));
  const TracedKernel& side = *next().main->side;
  std::vector<ThreadWork> work = workOf(side, 0);
  ASSERT_EQ(work[0].terms.size(), 4U);
  EXPECT_EQ(work[0].terms[0].factors.size(), 2U);
  EXPECT_EQ(gainText(side, work[0]),
            (std::vector<std::string>{"Mds[0][0…3]·Nds[0…3][0]", "4 terms"}));
  work[0].terms[2].factors.clear();
  EXPECT_EQ(gainText(side, work[0]), std::vector<std::string>{"4 terms"});
}

}  // namespace tilestep::features::thread_test
