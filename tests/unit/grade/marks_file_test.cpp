// SPDX-License-Identifier: Apache-2.0
#include "grade/marks_file.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/service.h"

namespace tilestep::grade::marks_file_test {

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

TEST_F(MarksFileTest, ChangesOfAnotherProgramAreKeptAndGradesGoToASecondFile) {
  Result<MarksFile> file = open(false);
  ASSERT_TRUE(file);
  Ledger ledger({record("ada")});
  ASSERT_TRUE(file->write(ledger));
  const std::string before = text();
  folder.write("marks.csv", "my own notes\n");
  ledger.put(record("alan"));
  EXPECT_TRUE(fails(file->write(ledger), "marks.csv.graded"));
  EXPECT_EQ(text(), "my own notes\n");
  EXPECT_TRUE(has(folder.read("marks.csv.graded"), "\nalan,"));
  folder.write("marks.csv", before);
  EXPECT_TRUE(file->write(ledger)) << "the change is undone";
  EXPECT_TRUE(has(text(), "\nalan,"));
}

TEST_F(MarksFileTest, AFileThatIsNotContinuedIsReplaced) {
  folder.write("marks.csv", "anything\n");
  EXPECT_FALSE(open(true));
  Result<MarksFile> file = open(false);
  ASSERT_TRUE(file);
  Ledger ledger({record("ada")});
  ASSERT_TRUE(file->write(ledger));
  EXPECT_FALSE(has(text(), "anything"));
}

}  // namespace tilestep::grade::marks_file_test
