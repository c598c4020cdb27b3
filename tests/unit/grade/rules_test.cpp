// SPDX-License-Identifier: Apache-2.0
#include "grade/rules.h"

#include "unit/grade/specs.h"

namespace tilestep::grade {
namespace rules_test {

/// The message of the error that `grading` gives, with its line.
std::string problemOf(const std::string& grading) {
  const Result<Rules> rules = readRules(sumSpec("\n[grading]\n" + grading));
  if (rules) return "no error";
  EXPECT_TRUE(rules.error().where.has_value()) << rules.error().message;
  EXPECT_EQ(rules.error().where->file, "teacher.toml");
  return rules.error().message;
}

TEST(GradingRules, HaveDefaults) {
  const Result<Rules> rules = readRules(sumSpec());
  ASSERT_TRUE(rules.ok());
  EXPECT_TRUE(rules->launches.empty());
  EXPECT_EQ(rules->drawn, 12U);
  EXPECT_EQ(rules->marks, (std::array<double, lab::kCriteria>{1, 1, 1, 1, 1, 1}));
}

TEST(GradingRules, AllKeysAreRead) {
  const Result<Rules> rules = readRules(sumSpec(R"(
[grading]
launches = [{ m = 1, n = 1 }, { n = 33, BLOCK = 8 }]
drawn = 2
largest = 50
solution = "solution.cu"
untested = ["Anything else."]
[grading.marks]
result = 4
races = 0.5
[[grading.count]]
counter = "global_load_sectors"
at_most = 1.2
marks = 2
)"));
  ASSERT_TRUE(rules.ok()) << toString(rules.error());
  ASSERT_EQ(rules->launches.size(), 2U);
  EXPECT_EQ(rules->launches[1].sizes, (compile::Bindings{{"n", 33}}));
  EXPECT_EQ(rules->launches[1].tunables, (compile::Bindings{{"BLOCK", 8}}));
  EXPECT_EQ(rules->drawn, 2U);
  EXPECT_EQ(rules->largest, 50);
  EXPECT_EQ(rules->marks, (std::array<double, lab::kCriteria>{1, 4, 1, 0.5, 1, 1}));
  ASSERT_EQ(rules->counts.size(), 1U);
  EXPECT_EQ(rules->counts[0].counter, "global_load_sectors");
  EXPECT_EQ(rules->counts[0].atMost, 1.2);
  EXPECT_EQ(rules->counts[0].marks, 2);
  EXPECT_EQ(rules->untested, std::vector<std::string>{"Anything else."});
}

TEST(GradingRules, ErrorsNameTheMistake) {
  EXPECT_NE(problemOf("size = 3").find("no key size"), std::string::npos);
  EXPECT_NE(problemOf("drawn = 0").find("at least one launch"), std::string::npos);
  EXPECT_NE(problemOf("drawn = 100").find("0 to 40"), std::string::npos);
  EXPECT_NE(problemOf("largest = 0").find("1 or more"), std::string::npos);
  EXPECT_NE(problemOf("launches = 3").find("a list of at most"), std::string::npos);
  EXPECT_NE(problemOf("launches = [{ k = 3 }]").find("no size or tunable k"), std::string::npos);
  EXPECT_NE(problemOf("launches = [{ BLOCK = 64 }]").find("not legal"), std::string::npos);
  EXPECT_NE(problemOf("marks = 3").find("[grading.marks]"), std::string::npos);
  EXPECT_NE(problemOf("marks = { results = 3 }").find("nearest is result"), std::string::npos);
  EXPECT_NE(problemOf("marks = { result = -1 }").find("from 0 to 1000"), std::string::npos);
  EXPECT_NE(problemOf("marks = { result = nan }").find("from 0 to 1000"), std::string::npos);
  EXPECT_NE(problemOf("[[grading.count]]\ncounter = \"global_loads\"").find("no counter"),
            std::string::npos);
  EXPECT_NE(problemOf("[[grading.count]]\ncounter = \"ffma\"").find("at_most"), std::string::npos);
  const std::string rule = "[[grading.count]]\ncounter = \"ffma\"\nat_most = 1\n";
  EXPECT_NE(problemOf(rule).find("name it with solution"), std::string::npos);
  EXPECT_NE(problemOf("solution = \"s.cu\"\n" + rule + rule).find("two rules"), std::string::npos);
}

TEST(GradingRules, MustBeATable) {
  const Result<compile::Spec> spec =
      compile::parseSpec("teacher.toml", sumSpec().front.toml + "\n[[grading]]\ndrawn = 3\n");
  ASSERT_FALSE(spec.ok());
  EXPECT_NE(spec.error().message.find("[grading]"), std::string::npos);
}

}  // namespace rules_test
}  // namespace tilestep::grade
