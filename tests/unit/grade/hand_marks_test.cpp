// SPDX-License-Identifier: Apache-2.0
#include "grade/hand_marks.h"

#include <gtest/gtest.h>

#include "grade/ledger.h"
#include "support/results.h"

namespace tilestep::grade::hand_marks_test {

Grade grade(const std::string& id, const std::string& hash = "00000000000000aa") {
  Grade one;
  one.id = id;
  one.hash = hash;
  return one;
}

TEST(HandMarksTest, AcceptFormatsOfPeopleAndSpreadsheets) {
  const auto marks =
      valueOrThrow(HandMarks::read("hand.csv",
                                   "id,marks,hash\r\nada,2.5\r\n\"bob\",\" +2,50\",\r\n,,\r\n"
                                   "'=cy,0,0x00000000000000aa\r\n"));
  EXPECT_EQ(marks.byId().size(), 3U);
  EXPECT_EQ(marks.of(grade("ada")), 2.5);
  EXPECT_EQ(marks.of(grade("bob")), 2.5);
  EXPECT_EQ(marks.of(grade("=cy")), 0);
  EXPECT_EQ(marks.of(grade("dan")), std::nullopt);
  const auto unended = valueOrThrow(HandMarks::read("hand.csv", "ID,Marks\nada,2\nbob,3"));
  EXPECT_EQ(unended.of(grade("bob")), 3);
}

TEST(HandMarksTest, WithAHashApplyOnlyToThatFile) {
  const auto marks = HandMarks::read("hand.csv", "ada,2,0x00000000000000aa\nbob,3\n");
  ASSERT_TRUE(marks);
  EXPECT_EQ(marks->of(grade("ada")), 2);
  EXPECT_EQ(marks->of(grade("ada", "00000000000000ab")), std::nullopt);
  EXPECT_TRUE(marks->areForAnother(grade("ada", "00000000000000ab")));
  EXPECT_EQ(marks->of(grade("ada", "")), std::nullopt) << "it cannot be read";
  EXPECT_TRUE(marks->areForAnother(grade("ada", "")));
  EXPECT_EQ(marks->of(grade("bob", "00000000000000ab")), 3);
}

TEST(HandMarksTest, InvalidLinesAreRefused) {
  for (const char* text : {"ada\n", "ada,x\n", "ada,-1\n", "ada,nan\n", "ada,1e308\n", "ada,,\n",
                           ",3\n", "ada,1,2,3\n", "id;marks\n", "ada,1\nada,2\n", "ada,\"1\n",
                           "ada,2,5\n", "ada,2,0x0F\n", "ada,2,9.6e14\n"}) {
    EXPECT_TRUE(fails(HandMarks::read("hand.csv", text), "hand.csv")) << text;
  }
}

TEST(HandMarksTest, ReplaceEarlierMarks) {
  Record ada, bob;
  ada.grade = grade("ada");
  bob.grade = grade("bob");
  bob.grade.byHand = 4;
  Ledger ledger({ada, bob});
  ledger.mark(HandMarks::read("hand.csv", "ada,2\n").value());
  EXPECT_EQ(ledger.find("ada")->grade.total(), 2);
  EXPECT_EQ(ledger.find("bob")->grade.byHand, std::nullopt);
}

}  // namespace tilestep::grade::hand_marks_test
