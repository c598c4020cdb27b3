// SPDX-License-Identifier: Apache-2.0
#include "grade/marks_file.h"

#include <gtest/gtest.h>

#include "support/service.h"

namespace tilestep::grade {
namespace marks_file_test {

const std::vector<Row> kRows{{"compiles", {}, 1, ""}, {"result", {}, 4, ""}};

Record record(const std::string& id) {
  Record one;
  one.grade.id = id;
  one.grade.hash = "00000000000000aa";
  one.grade.verdict = Verdict::unjudged;
  one.grade.rows = kRows;
  return one;
}

class MarksFileTest : public testing::Test {
 protected:
  [[nodiscard]] Result<MarksFile> open(bool goesOn) const {
    return MarksFile::open(folder.path("marks.csv"), kRows, goesOn);
  }
  [[nodiscard]] std::string text() const { return folder.read("marks.csv"); }

  support::TemporaryFolder folder{"marks"};
};

TEST_F(MarksFileTest, ChangesOfAnotherProgramAreKeptAndGradesAreWrittenBesideThem) {
  Result<MarksFile> file = open(false);
  ASSERT_TRUE(file);
  Ledger ledger({record("ada")});
  ASSERT_TRUE(file->write(ledger));
  const std::string before = text();
  folder.write("marks.csv", "my own notes\n");
  ledger.put(record("alan"));
  const Status refused = file->write(ledger);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("marks.csv.graded"), std::string::npos)
      << refused.error().message;
  EXPECT_EQ(text(), "my own notes\n");
  EXPECT_NE(folder.read("marks.csv.graded").find("\nalan,"), std::string::npos);
  folder.write("marks.csv", before);
  EXPECT_TRUE(file->write(ledger)) << "the change is undone";
  EXPECT_NE(text().find("\nalan,"), std::string::npos);
}

TEST_F(MarksFileTest, AFileThatDoesNotGoOnIsReplaced) {
  folder.write("marks.csv", "anything\n");
  EXPECT_FALSE(open(true));
  Result<MarksFile> file = open(false);
  ASSERT_TRUE(file);
  Ledger ledger({record("ada")});
  ASSERT_TRUE(file->write(ledger));
  EXPECT_EQ(text().find("anything"), std::string::npos);
}

}  // namespace marks_file_test
}  // namespace tilestep::grade
