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
  /// What somebody writes at the end of an id's line.
  void writeByHand(const std::string& id, const std::string& marks) const {
    std::string changed = text();
    const size_t end = changed.find('\n', changed.find("\n" + id + ",") + 1);
    changed.insert(changed.rfind(',', end), marks);
    folder.write("marks.csv", changed);
  }

  support::TemporaryFolder folder{"marks"};
};

TEST_F(MarksFileTest, WhatSomebodyWritesWhileAClassIsGradedIsKept) {
  Result<MarksFile> file = open(false);
  ASSERT_TRUE(file);
  Ledger ledger({record("ada")});
  ASSERT_TRUE(file->write(ledger));
  writeByHand("ada", "3");
  ledger.put(record("alan"));
  ASSERT_TRUE(file->write(ledger));
  EXPECT_EQ(ledger.find("ada")->grade.byHand, 3);
  const Result<MarksFile> later = open(true);
  ASSERT_TRUE(later);
  ASSERT_EQ(later->before().records().size(), 2U);
  EXPECT_EQ(later->before().find("ada")->grade.byHand, 3);
}

TEST_F(MarksFileTest, AFileThatSomebodyChangedOtherwiseIsLeftAlone) {
  Result<MarksFile> file = open(false);
  ASSERT_TRUE(file);
  Ledger ledger({record("ada")});
  ASSERT_TRUE(file->write(ledger));
  const std::string before = text();
  folder.write("marks.csv", "my own notes\n");
  const Status refused = file->write(ledger);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("meanwhile"), std::string::npos)
      << refused.error().message;
  EXPECT_FALSE(file->write(ledger));
  EXPECT_EQ(text(), "my own notes\n");
  folder.write("marks.csv", before);
  ledger.put(record("alan"));
  EXPECT_TRUE(file->write(ledger)) << "it is mended";
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
