// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/view.h"
#include "model/export/table.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::footprint_session_test {

class FootprintSession : public SessionFixture {
 protected:
  void SetUp() override {
    open();
    settle();
  }
  const FootprintView& shown() { return next().view<FootprintView>(); }
};

TEST_F(FootprintSession, IsComputedOnlyWhileVisible) {
  EXPECT_FALSE(shown().footprint);
  session->apply(command("footprint.watch", true));
  ASSERT_TRUE(shown().footprint);
  const auto footprint = shown().footprint;
  session->apply(command("steps.grain", trace::StepGranularity::event));
  session->apply(command("steps.go", 3));
  EXPECT_EQ(shown().footprint, footprint) << "computed once";
  session->apply(command("footprint.watch", false));
  EXPECT_FALSE(shown().footprint);
}

TEST_F(FootprintSession, CountsFollowTheStepsForwardAndBack) {
  session->apply(command("footprint.watch", true));
  session->apply(command("steps.grain", trace::StepGranularity::event));
  const auto& requests = shown().footprint->requests;
  ASSERT_GT(requests.size(), 2U);
  session->apply(command("steps.go", size_t{requests[1].event}));
  EXPECT_EQ(shown().done, 2U);
  EXPECT_TRUE(shown().isStep);
  EXPECT_EQ(shown().request->request.event, shown().footprint->requests[1].event);
  EXPECT_EQ(shown().soFar, shown().footprint->countsOf(2));
  session->apply(command("steps.go", size_t{shown().footprint->requests[0].event}));
  EXPECT_EQ(shown().done, 1U);
  EXPECT_EQ(shown().footprint->whole,
            shown().footprint->countsOf(shown().footprint->requests.size()));
}

TEST_F(FootprintSession, ViewIsRecomputedOnlyForAnotherStep) {
  session->apply(command("footprint.watch", true));
  session->apply(command("steps.grain", trace::StepGranularity::event));
  session->apply(command("steps.go", 3));
  (void)shown();
  const std::shared_ptr<const Snapshot> earlier = session->snapshot();
  const FootprintView& before = earlier->view<FootprintView>();
  session->apply(command("cube.watch", true));
  EXPECT_EQ(&shown(), &before) << "a different view changed";
  session->apply(command("steps.go", size_t{before.footprint->requests.back().event}));
  EXPECT_GT(shown().done, before.done);
}

TEST_F(FootprintSession, FramesAreOnTheMapOfTheRequestsOperand) {
  session->apply(command("footprint.watch", true));
  session->apply(command("steps.move", Move::last));
  const FootprintView& view = shown();
  ASSERT_TRUE(view.request);
  EXPECT_EQ(view.footprint->operands[view.operand].buffer, view.request->request.buffer);
  EXPECT_EQ(view.maps->size(), view.footprint->operands.size());
  EXPECT_EQ(view.frames, rectanglesOf(mapShapeOf(view.footprint->operands[view.operand]),
                                      view.footprint->operands[view.operand].elementBytes,
                                      view.request->coalescing.sectors));
  EXPECT_FALSE(view.frames.empty());
}

TEST_F(FootprintSession, StepOfSeveralInstructionsShowsItsLastRequest) {
  session->apply(command("footprint.watch", true));
  session->apply(command("steps.grain", trace::StepGranularity::epoch));
  session->apply(command("steps.go", 0));
  EXPECT_FALSE(shown().isStep);
  EXPECT_EQ(shown().sentence.substr(0, 43), "This step consists of several instructions.");
}

TEST_F(FootprintSession, TableHasARowForEachRequest) {
  session->apply(command("footprint.watch", true));
  const size_t requests = shown().footprint->requests.size();
  const Table table = tableOf("sectors", snapshot());
  ASSERT_EQ(table.rows.size(), requests);
  EXPECT_EQ(table.columns[9], "sectors");
  EXPECT_EQ(table.rows.front()[9],
            std::to_string(shown().footprint->requests.front().counts.sectors));
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
}

}  // namespace tilestep::features::footprint_session_test
