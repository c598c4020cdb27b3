// SPDX-License-Identifier: Apache-2.0
// The SQLite files of points.
#include "lab/points/database.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "lab/points/points_file.h"
#include "support/results.h"
#include "support/service.h"

namespace tilestep::lab::database_test {

namespace fs = std::filesystem;

class DatabaseTest : public testing::Test {
 protected:
  static int64_t countOf(const Database& database) {
    int64_t count = -1;
    EXPECT_TRUE(database.run("SELECT count(*) FROM imported", {},
                             [&](const SqlRow& row) { count = std::stoll(row.text(0)); }));
    return count;
  }

  support::TemporaryFolder folder_{"database"};
  const fs::path file_ = folder_.path("state/points.db");
};

TEST_F(DatabaseTest, NewerAndDamagedFilesAreRefusedUnchanged) {
  {
    const auto made = openPoints(file_);
    ASSERT_TRUE(made && made->run("PRAGMA user_version = 7"));
  }
  EXPECT_TRUE(fails(openPoints(file_), "format is 7"));
  std::ofstream(file_) << std::string(4096, 'x');
  EXPECT_TRUE(fails(openPoints(file_), "points.db"));
  EXPECT_EQ(fs::file_size(file_), 4096U);
  fs::remove(file_);
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_FALSE(openPoints(file_)) << "a pipe without a reader";
}

TEST_F(DatabaseTest, AFailedTransactionKeepsNothing) {
  const auto database = openPoints(file_);
  ASSERT_TRUE(database);
  const Status failed = database->write([&]() -> Status {
    EXPECT_TRUE(database->run("INSERT INTO imported VALUES('a')"));
    return database->run("INSERT INTO nowhere VALUES(1)");
  });
  EXPECT_FALSE(failed);
  EXPECT_EQ(countOf(*database), 0);
}

TEST_F(DatabaseTest, RowsAreReadAsTextsAndLongTextsAreRefused) {
  const auto database = openPoints(file_);
  ASSERT_TRUE(database);
  std::vector<std::string> cells;
  EXPECT_TRUE(database->run("SELECT 'text', 1, 0.1, NULL, x'41', ?", {std::string("bound")},
                            [&](const SqlRow& row) { cells = row.cells(); }));
  EXPECT_EQ(cells, (std::vector<std::string>{"text", "1", "0.1", "", "", "bound"}));
  EXPECT_FALSE(database->run("INSERT INTO imported VALUES(?)",
                             {std::string(Database::kMostBytes + 1, 'x')}));
}

TEST(PointsFile, ValuesOfACellAreReadBackOrRefused) {
  const compile::Bindings values{{"TILE", 8}, {"k", 1024}, {"m", -3}};
  EXPECT_EQ(valuesIn(cellOf(values)), values);
  EXPECT_EQ(valuesIn(""), compile::Bindings{});
  for (const char* bad : {"m", "=3", "m=", "m=1 m=2", "m=1  k=2", "m=x", "m=99999999999999"})
    EXPECT_EQ(valuesIn(bad), std::nullopt) << bad;
}

}  // namespace tilestep::lab::database_test
