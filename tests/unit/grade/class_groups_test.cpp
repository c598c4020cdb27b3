// SPDX-License-Identifier: Apache-2.0
#include "grade/class_groups.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tilestep::grade::class_groups_test {

Grade handIn(const std::string& id, std::vector<Trouble> troubles, const std::string& hash = {}) {
  Grade grade;
  grade.id = id;
  grade.hash = hash;
  grade.verdict = troubles.empty() ? Verdict::right : Verdict::wrong;
  grade.troubles = std::move(troubles);
  return grade;
}

Trouble trouble(const std::string& kind, const std::string& detail = {}, double times = 0) {
  return {kind, detail, times};
}

/// "3 have no guard | a b c | b"
std::vector<std::string> texts(const ClassGroups& groups) {
  std::vector<std::string> all;
  for (const TroubleGroup& group : groups.troubles) {
    std::string text = std::to_string(group.ids.size()) + " " + group.words + " |";
    for (const std::string& id : group.ids) text += " " + id;
    all.push_back(text + " | " + group.typical);
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(ClassGroups, TheLargestGroupIsFirstAndTheSimplestHandInTypical) {
  const ClassGroups groups =
      groupsOf({handIn("d", {trouble("race-store-load")}),
                handIn("a", {trouble("guard"), trouble("race-store-load")}),
                handIn("c", {trouble("guard")}), handIn("e", {}), handIn("b", {trouble("guard")})});
  EXPECT_EQ(texts(groups), (Texts{"3 have no guard | a b c | b",
                                  "2 race: no barrier between the store and the load | a d | d"}));
}

TEST(ClassGroups, DoNotDependOnTheOrderOfTheGrades) {
  std::vector<Grade> grades{
      handIn("1", {trouble("guard")}, "aa"),
      handIn("2", {trouble("not-compiled", "use of undeclared identifier 'tyy'")}, "bb"),
      handIn("3",
             {trouble("not-compiled", "use of undeclared identifier 'rowe'"),
              trouble("count", "barriers", 2.1)},
             "aa"),
      handIn("4", {trouble("deadlock"), trouble("guard")}, "bb"),
      handIn("5", {trouble("count", "barriers", 1.9)}, "cc")};
  const auto equal = [](const ClassGroups& groups) {
    std::string text;
    for (const EqualFiles& files : groups.equal)
      for (const std::string& id : files.ids) text += id + " ";
    return text;
  };
  const ClassGroups first = groupsOf(grades);
  EXPECT_EQ(equal(first), "1 3 2 4 ");
  std::ranges::sort(grades, {}, &Grade::id);
  do {
    const ClassGroups groups = groupsOf(grades);
    ASSERT_EQ(texts(groups), texts(first));
    ASSERT_EQ(equal(groups), equal(first));
  } while (std::ranges::next_permutation(grades, {}, &Grade::id).found);
}

TEST(ClassGroups, MessagesAreComparedWithoutNamesAndNumbers) {
  EXPECT_EQ(withoutNames("line 12: use of undeclared identifier 'rowe'"),
            withoutNames("line 7: use of undeclared identifier 'tyy2'"));
  EXPECT_EQ(withoutNames("identifier \"tx\" is undefined"), "identifier \"…\" is undefined");
  EXPECT_EQ(withoutNames("It has 5 parameters, not 6, of float4"),
            "It has … parameters, not …, of float4");
  EXPECT_EQ(withoutNames("expected a ';' after it"), "expected a ';' after it");
  EXPECT_EQ(withoutNames("more than the solution's and ours' 3"),
            "more than the solution's and ours' …");
  EXPECT_EQ(withoutNames("an open 'quote"), "an open 'quote");
  EXPECT_EQ(withoutNames("first\nsecond"), "first");
  EXPECT_EQ(withoutNames("line : what"), "line : what");
  EXPECT_EQ(withoutNames(""), "");
}

TEST(ClassGroups, EqualMessagesAreQuotedInFull) {
  const auto compiled = [](const std::string& id, const std::string& message) {
    return handIn(id, {trouble("not-compiled", message)});
  };
  EXPECT_EQ(texts(groupsOf({compiled("a", "line 3: no 'x'"), compiled("b", "line 4: no 'x'")})),
            (Texts{"2 do not compile: no 'x' | a b | a"}));
  EXPECT_EQ(texts(groupsOf({compiled("a", "line 3: no 'x'"), compiled("b", "line 4: no 'yy'"),
                            compiled("c", "no end")})),
            (Texts{"2 do not compile: no '…' | a b | a", "1 does not compile: no end | c | c"}));
}

TEST(ClassGroups, CountsAreGroupedByRoundedFactors) {
  const auto counted = [](const std::string& id, double times) {
    return handIn(id, {trouble("count", "global_load_sectors", times)});
  };
  EXPECT_EQ(
      texts(groupsOf({counted("a", 4), counted("b", 4), counted("c", 15.6), counted("d", 16.4)})),
      (Texts{
          "2 are right, but load 16 times as many sectors of global memory as the model | c d | c",
          "2 are right, but load 4 times as many sectors of global memory as the model | a b | "
          "a"}));
  EXPECT_EQ(texts(groupsOf({counted("a", 1.6), counted("b", 2.4)})),
            (Texts{"2 are right, but load 1.6 to 2.4 times as many sectors of global memory as the "
                   "model | a b | a"}));
  EXPECT_EQ(texts(groupsOf({counted("a", 0), counted("b", 0.4)})),
            (Texts{"1 is right, but loads 0.4 times as many sectors of global memory as the model "
                   "| b | b",
                   "1 is right, but loads sectors of global memory, and the model none | a | a"}));
}

TEST(ClassGroups, AHandInIsInOneGroupPerTrouble) {
  Grade unknown = handIn("a", {}, "aa");
  unknown.troubles.reset();
  const ClassGroups groups = groupsOf({unknown, handIn("b", {}, "aa"), handIn("c", {}, "")});
  EXPECT_TRUE(groups.troubles.empty());
  EXPECT_EQ(groups.unknown, (Texts{"a"}));
  ASSERT_EQ(groups.equal.size(), 1U);
  EXPECT_EQ(groups.equal.front().ids, (Texts{"a", "b"}));
  EXPECT_TRUE(groupsOf({}).troubles.empty());
  EXPECT_TRUE(groupsOf({handIn("a", {}), handIn("b", {})}).equal.empty());
  EXPECT_EQ(texts(groupsOf({handIn(
                "a", {trouble("not-compiled", "no 'x'"), trouble("not-compiled", "no 'y'")})})),
            (Texts{"1 does not compile: no 'x' | a | a"}));
}

}  // namespace tilestep::grade::class_groups_test
