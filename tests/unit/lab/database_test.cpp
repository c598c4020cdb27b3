// SPDX-License-Identifier: Apache-2.0
// The SQLite files of points.
#include "lab/points/database.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "lab/points/points_file.h"

namespace tilestep::lab {
namespace database_test {

namespace fs = std::filesystem;

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest()
      : folder_(fs::path(testing::TempDir()) / ("database-" + std::to_string(::getpid()))),
        file_(folder_ / "state" / "points.db") {}
  ~DatabaseTest() override { fs::remove_all(folder_); }

  static Result<int64_t> countOf(const Database& database) {
    Result<Statement> query = database.prepare("SELECT count(*) FROM imported");
    if (!query) return query.error();
    if (const auto row = query->step(); !row) return row.error();
    return query->integer(0).value_or(-1);
  }

  fs::path folder_, file_;
};

TEST_F(DatabaseTest, IsMadeWithItsFolderAndOpenedAgain) {
  {
    const auto made = openPoints(file_);
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_TRUE(made->run("INSERT INTO imported VALUES(?)", {std::string("a")}));
  }
  const auto again = openPoints(file_);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*countOf(*again), 1);
}

TEST_F(DatabaseTest, ANewerFileIsRefusedByNumber) {
  {
    const auto made = openPoints(file_);
    ASSERT_TRUE(made && made->run("PRAGMA user_version = 7"));
  }
  const auto newer = openPoints(file_);
  ASSERT_FALSE(newer);
  EXPECT_NE(newer.error().message.find("format is 7"), std::string::npos);
}

TEST_F(DatabaseTest, WhatIsNoDatabaseIsNamedAndStays) {
  fs::create_directories(file_.parent_path());
  std::ofstream(file_) << std::string(4096, 'x');
  const auto damaged = openPoints(file_);
  ASSERT_FALSE(damaged);
  EXPECT_NE(damaged.error().message.find("points.db"), std::string::npos);
  EXPECT_EQ(fs::file_size(file_), 4096U);
  fs::remove(file_);
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_FALSE(openPoints(file_)) << "a pipe, whose other end nobody opens";
}

TEST_F(DatabaseTest, AFailedTransactionKeepsNothing) {
  const auto database = openPoints(file_);
  ASSERT_TRUE(database);
  const Status failed = database->write([&]() -> Status {
    EXPECT_TRUE(database->run("INSERT INTO imported VALUES('a')"));
    return database->run("INSERT INTO nowhere VALUES(1)");
  });
  EXPECT_FALSE(failed);
  EXPECT_EQ(*countOf(*database), 0);
}

TEST_F(DatabaseTest, ConcurrentWritersWaitForEachOther) {
  constexpr int kWriters = 6, kRows = 10;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer)
    writers.emplace_back([&, writer] {
      const auto database = openPoints(file_);
      ASSERT_TRUE(database) << database.error().message;
      for (int i = 0; i < kRows; ++i)
        while (!database->write([&] {
          return database->run("INSERT INTO imported VALUES(?)",
                               {std::to_string(writer) + "/" + std::to_string(i)});
        }))
          continue;  // The disk may be slow.
    });
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(*countOf(*openPoints(file_)), kWriters * kRows);
}

TEST_F(DatabaseTest, CellsOfOtherTypesAndLongTextsAreNotRead) {
  const auto database = openPoints(file_);
  ASSERT_TRUE(database);
  auto query = database->prepare("SELECT 'text', 1, 2.5, NULL");
  ASSERT_TRUE(query && *query->step());
  EXPECT_EQ(query->integer(0), std::nullopt);
  EXPECT_EQ(query->integer(1), 1);
  EXPECT_EQ(query->real(2), 2.5);
  EXPECT_EQ(query->real(3), std::nullopt);
  EXPECT_EQ(query->text(1), "");
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

}  // namespace database_test
}  // namespace tilestep::lab
