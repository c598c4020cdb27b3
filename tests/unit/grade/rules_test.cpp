// SPDX-License-Identifier: Apache-2.0
#include "grade/rules.h"

#include "support/results.h"
#include "unit/grade/specs.h"

namespace tilestep::grade::rules_test {

/// The error message for `grading`, with its line.
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
  const auto rules = valueOrThrow(readRules(sumSpec(R"(
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
)")));
  ASSERT_EQ(rules.launches.size(), 2U);
  EXPECT_EQ(rules.launches[1].sizes, (compile::Bindings{{"n", 33}}));
  EXPECT_EQ(rules.launches[1].tunables, (compile::Bindings{{"BLOCK", 8}}));
  EXPECT_EQ(rules.drawn, 2U);
  EXPECT_EQ(rules.largest, 50);
  EXPECT_EQ(rules.marks, (std::array<double, lab::kCriteria>{1, 4, 1, 0.5, 1, 1}));
  ASSERT_EQ(rules.counts.size(), 1U);
  EXPECT_EQ(rules.counts[0].counter, "global_load_sectors");
  EXPECT_EQ(rules.counts[0].atMost, 1.2);
  EXPECT_EQ(rules.counts[0].marks, 2);
  EXPECT_EQ(rules.untested, std::vector<std::string>{"Anything else."});
}

TEST(GradingRules, ErrorsNameTheMistake) {
  EXPECT_TRUE(has(problemOf("size = 3"), "no key size"));
  EXPECT_TRUE(has(problemOf("drawn = 0"), "at least one launch"));
  EXPECT_TRUE(has(problemOf("drawn = 100"), "0 to 40"));
  EXPECT_TRUE(has(problemOf("largest = 0"), "1 or more"));
  EXPECT_TRUE(has(problemOf("launches = 3"), "a list of at most"));
  EXPECT_TRUE(has(problemOf("launches = [{ k = 3 }]"), "no size or tunable k"));
  EXPECT_TRUE(has(problemOf("launches = [{ BLOCK = 64 }]"), "not legal"));
  EXPECT_TRUE(has(problemOf("marks = 3"), "[grading.marks]"));
  EXPECT_TRUE(has(problemOf("marks = { results = 3 }"), "nearest is result"));
  EXPECT_TRUE(has(problemOf("marks = { result = -1 }"), "from 0 to 1000"));
  EXPECT_TRUE(has(problemOf("marks = { result = nan }"), "from 0 to 1000"));
  EXPECT_TRUE(has(problemOf("[[grading.count]]\ncounter = \"global_loads\""), "no counter"));
  EXPECT_TRUE(has(problemOf("[[grading.count]]\ncounter = \"ffma\""), "at_most"));
  const std::string rule = "[[grading.count]]\ncounter = \"ffma\"\nat_most = 1\n";
  EXPECT_TRUE(has(problemOf(rule), "name it with solution"));
  EXPECT_TRUE(has(problemOf("solution = \"s.cu\"\n" + rule + rule), "two rules"));
  EXPECT_TRUE(
      fails(compile::parseSpec("teacher.toml", sumSpec().front.toml + "\n[[grading]]\ndrawn = 3\n"),
            "[grading]"));
}

}  // namespace tilestep::grade::rules_test
