// SPDX-License-Identifier: Apache-2.0
#include "model/export/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lab/sweep_file.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model {
namespace table_export_test {

class TwinTest : public SessionFixture {
 protected:
  TwinTest() {
    open();
    settle();
  }
  [[nodiscard]] Table twin(std::string_view view) const {
    return twinOf(view, *session->snapshot(), false, false);
  }
};

TEST_F(TwinTest, EveryViewHasRowsOfTheSameLength) {
  session->move(Move::forward);
  session->lookAtSweep(SweepChoice{});
  session->poll(now += 0.1);
  std::set<std::string> names;
  for (size_t i = 0; i < kViews; ++i) {
    const auto view = static_cast<ViewKind>(i);
    names.insert(shortNameOf(view));
    const Table one = twin(view);
    // The toy worker measures no roofs, and nobody has looked at the PTX; an interpreter has no
    // clocks.
    if (view == "roofline" || view == "ptx" || view == "timeline" || view == "live") continue;
    if (view == "runs") continue;  // None is pinned.
    EXPECT_FALSE(one.rows.empty()) << nameOf(view);
    for (const auto& row : one.rows) EXPECT_EQ(row.size(), one.columns.size()) << nameOf(view);
  }
  EXPECT_EQ(names.size(), kViews);
}

TEST_F(TwinTest, BeforeTheFirstTraceThereIsNothing) {
  const Snapshot nothing;
  for (size_t i = 0; i < kViews; ++i)
    EXPECT_TRUE(twinOf(static_cast<ViewKind>(i), nothing, true, true).rows.empty()) << i;
}

TEST_F(TwinTest, TilesSayWhereEachSlotComesFrom) {
  const Table tiles = twin("tiles");
  const auto slot = std::ranges::find_if(tiles.rows, [](const auto& row) {
    return row[0] == "matmul_tiled" && row[2] == "Mds[0][1]";
  });
  ASSERT_NE(slot, tiles.rows.end());
  EXPECT_EQ((*slot)[4], "M[0][1]");
  EXPECT_FALSE((*slot)[3].empty());
}

TEST_F(TwinTest, PhasesThreadAndSourceAreThoseOfTheTrace) {
  const Table phases = twin("phases");
  EXPECT_EQ(phases.rows.size(), 16U * 2);  // Threads and phases.
  EXPECT_EQ(phases.rows[1][4], "M[0][4]");
  EXPECT_EQ(phases.rows[1][5], "Mds[0][0]");
  const Table thread = twin("thread");
  EXPECT_EQ(thread.rows.size(), 2U * (5 + 12 + 1) + 1);
  EXPECT_EQ(thread.rows.back()[3], "stores P[0][0]");
  const Table source = twin("source");
  EXPECT_EQ(source.rows[13][1], "24");  // Two phases of four terms, three events each.
}

TEST_F(TwinTest, TrafficIsThatOfTheSnapshot) {
  const Table traffic = twin("traffic");
  const TrafficTable& table = session->snapshot()->phaseTraffic;
  ASSERT_EQ(traffic.rows.size(), table.rows.size());
  EXPECT_EQ(traffic.title, table.title);
  EXPECT_EQ(traffic.rows[0][0], "Element loads");
  EXPECT_EQ(traffic.rows[0][1], "32");
  EXPECT_EQ(traffic.rows[0][2], "128");
}

TEST_F(TwinTest, StepsMarkTheOneShown) {
  session->goTo(2);
  session->poll(now += 0.1);
  const Table steps = twin("steps");
  ASSERT_EQ(steps.rows.size(), session->snapshot()->position.size);
  for (size_t i = 0; i < steps.rows.size(); ++i)
    EXPECT_EQ(steps.rows[i].back(), i == 2 ? "yes" : "") << i;
}

TEST_F(TwinTest, CsvComesBackCellByCell) {
  Table odd{"title", {"a", "b,c"}, {{"1", "x \"y\"\nz"}, {"", "–"}}, false};
  const lab::CsvText read = lab::parseCsv(csvOf(odd));
  ASSERT_EQ(read.lines.size(), 3U);
  EXPECT_EQ(read.lines[0], odd.columns);
  EXPECT_EQ(read.lines[1], odd.rows[0]);
  EXPECT_EQ(read.lines[2], odd.rows[1]);
}

TEST_F(TwinTest, TextStandsInColumns) {
  const Table odd{"Of what.", {"a", "bb"}, {{"–––", "1"}, {"x", "2"}}, false};
  EXPECT_EQ(textOf(odd), "Of what.\n\na    bb\n–––  1\nx    2\n");
}

}  // namespace table_export_test
}  // namespace tilestep::model
