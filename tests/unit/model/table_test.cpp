// SPDX-License-Identifier: Apache-2.0
#include "model/export/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "features/traffic/view.h"
#include "lab/sweep_file.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::table_export_test {

class TableTest : public SessionFixture {
 protected:
  TableTest() {
    open();
    settle();
  }
  [[nodiscard]] Table table(std::string_view view) const {
    return tableOf(view, *session->snapshot());
  }
};

TEST_F(TableTest, EveryViewHasRowsOfTheSameLength) {
  session->apply(command("steps.move", Move::forward));
  session->apply(command("sweeps.look", SweepChoice{}));
  session->poll(now += 0.1);
  std::set<std::string_view> ids;
  for (const TableKind& kind : session->snapshot()->tables) {
    const std::string_view view = kind.id;
    EXPECT_TRUE(ids.insert(view).second) << view << " is the id of two tables";
    const Table one = table(view);
    for (const auto& row : one.rows) EXPECT_EQ(row.size(), one.columns.size()) << view;
  }
  // Other tables need a GPU's times, a pinned run, or an open PTX view.
  for (const char* id : {"scene", "tiles", "steps", "threads", "thread", "warp", "phases", "source",
                         "gains", "story", "traffic", "occupancy", "devices", "history", "sweep"}) {
    EXPECT_TRUE(ids.contains(id)) << id;
    EXPECT_FALSE(table(id).rows.empty()) << id;
  }
}

TEST_F(TableTest, IsEmptyBeforeTheFirstTrace) {
  const Snapshot nothing;
  for (const TableKind& kind : session->snapshot()->tables)
    EXPECT_TRUE(kind.make(nothing, {true, true}).rows.empty()) << kind.id;
}

TEST_F(TableTest, TilesContainTheOriginOfEachSlot) {
  const Table tiles = table("tiles");
  const auto slot = std::ranges::find_if(tiles.rows, [](const auto& row) {
    return row[0] == "matmul_tiled" && row[2] == "Mds[0][1]";
  });
  ASSERT_NE(slot, tiles.rows.end());
  EXPECT_EQ((*slot)[4], "M[0][1]");
  EXPECT_FALSE((*slot)[3].empty());
}

TEST_F(TableTest, PhasesThreadAndSourceAreThoseOfTheTrace) {
  const Table phases = table("phases");
  EXPECT_EQ(phases.rows.size(), 16U * 2);  // One row per thread and phase.
  EXPECT_EQ(phases.rows[1][4], "M[0][4]");
  EXPECT_EQ(phases.rows[1][5], "Mds[0][0]");
  const Table thread = table("thread");
  EXPECT_EQ(thread.rows.size(), 2U * (5 + 12 + 1) + 1);
  EXPECT_EQ(thread.rows.back()[3], "stores P[0][0]");
  const Table source = table("source");
  EXPECT_EQ(source.rows[13][1], "");    // The first step loads.
  EXPECT_EQ(source.rows[13][2], "24");  // Two phases of four terms, with three events each.
}

TEST_F(TableTest, CsvIsParsedBackCellByCell) {
  Table odd{"title", {"a", "b,c"}, {{"1", "x \"y\"\nz"}, {"", "–"}}, false};
  const lab::CsvText read = lab::parseCsv(csvOf(odd));
  ASSERT_EQ(read.lines.size(), 3U);
  EXPECT_EQ(read.lines[0], odd.columns);
  EXPECT_EQ(read.lines[1], odd.rows[0]);
  EXPECT_EQ(read.lines[2], odd.rows[1]);
}

}  // namespace tilestep::model::table_export_test
