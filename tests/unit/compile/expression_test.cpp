// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "support/results.h"

namespace tilestep::compile::expression_test {

class ExpressionTest : public testing::Test {
 protected:
  ExpressionTest() {
    evaluator.set("k", 100);
    evaluator.set("TILE_WIDTH", 16);
    evaluator.set("big", int64_t{1} << 40);
  }
  int64_t value(const std::string& text) { return valueOrThrow(evaluator.integer(text)); }
  std::string problem(const std::string& text) {
    const auto result = evaluator.integer(text);
    EXPECT_FALSE(result.ok()) << text;
    return result ? "" : result.error().message;
  }
  Evaluator evaluator;
};

TEST_F(ExpressionTest, IntegersAreCalculatedExactly) {
  EXPECT_EQ(value("42"), 42);
  EXPECT_EQ(value("ceildiv(k, TILE_WIDTH)"), 7);
  EXPECT_EQ(value("floordiv(k, TILE_WIDTH)"), 6);
  EXPECT_EQ(value("floordiv(0 - 7, 2)"), -4);
  EXPECT_EQ(value("ceildiv(0 - 7, 2)"), -3);
  EXPECT_EQ(value("min(k, TILE_WIDTH) + max(1, 2) * 3"), 22);
  EXPECT_EQ(value("k % 7"), 2);
  EXPECT_EQ(value("2 ^ 10"), 1024);
  EXPECT_EQ(value("isqrt(8192)"), 90);
  EXPECT_EQ(value("TILE_WIDTH == 16 && k != 3 || 0"), 1);
  EXPECT_EQ(value("k > 50 ? 3 : 4"), 3);
  EXPECT_EQ(value("2^53"), int64_t{1} << 53);
  EXPECT_EQ(value("floordiv(2^53 - 1, 2^26)"), ((int64_t{1} << 53) - 1) >> 26);
  EXPECT_EQ(value("ceildiv(2^53 - 1, 3)"), 3002399751580331);
  EXPECT_EQ(value("k + 1"), 101);
  evaluator.set("k", 7);
  EXPECT_EQ(value("k + 1"), 8);
  EXPECT_EQ(evaluator.expand("{k} and {k / 8} of {nothing} {"), "7 and 0.875 of {nothing} {");
  EXPECT_EQ(evaluator.expand("plain"), "plain");
}

TEST_F(ExpressionTest, InvalidTextsAndFractionsAreRefused) {
  EXPECT_TRUE(has(problem("k / 16"), "6.25"));
  EXPECT_TRUE(has(problem("k / 16"), "ceildiv or floordiv"));
  EXPECT_TRUE(has(problem("big * big"), "larger than 2^53"));
  EXPECT_TRUE(has(problem("2^53 + 2"), "larger than 2^53"));
  EXPECT_TRUE(has(problem("k / 0"), "no finite value"));
  EXPECT_TRUE(has(problem("ceildiv(k, 0)"), "divides by zero"));
  EXPECT_TRUE(has(problem("floordiv(1.5, 2)"), "whole numbers"));
  EXPECT_TRUE(has(problem("TILE_WITH * 2"), "the nearest name is TILE_WIDTH"));
  EXPECT_TRUE(has(problem("k = 3"), "write =="));
  for (const char* text : {"", " ", "(", "k k", "sin(1)", "1, 2", "\"a\"", "rnd()", "k +", "_pi"}) {
    EXPECT_FALSE(problem(text).empty()) << text;
  }
  EXPECT_FALSE(evaluator.integer(std::string(600, '1')).ok());
  EXPECT_TRUE(evaluator.check("ceildiv(k, TILE_WIDTH - 16)").ok());
  EXPECT_TRUE(evaluator.check("k / 3").ok());
  EXPECT_FALSE(evaluator.check("kk / 3").ok());
  EXPECT_FALSE(evaluator.check("k /").ok());
}

TEST_F(ExpressionTest, OperatorsBindInTheirOrder) {
  EXPECT_EQ(value("7 - 4 - 2"), 1);
  EXPECT_EQ(value("48 / 4 / 2 * 3"), 18);
  EXPECT_EQ(value("2 + 3 * 4 ^ 2"), 50);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("-2 ^ 2"), -4) << "a sign is weaker than a power";
  EXPECT_EQ(value("2 ^ -1 * 4"), 2);
  EXPECT_EQ(value("-7 % 4"), -3);
  EXPECT_EQ(value("3 - -2 * +4"), 11);
  EXPECT_EQ(value("1 || 0 && 0"), 1);
  EXPECT_EQ(value("0.5 && 1"), 1);
  EXPECT_EQ(value("3 > 2 == 1"), 1) << "comparisons are as strong as one another";
  EXPECT_EQ(value("1 - 1 ? 5 : 6"), 6);
  EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(value("1 ? 0 ? 4 : 5 : 6"), 5);
  EXPECT_EQ(value("(0 ? 1 : 2) + 10 * (1 ? 3 : 4)"), 32);
  EXPECT_EQ(value("min (k ? 7 : 8, 9)"), 7);
  evaluator.set("k", 147);
  EXPECT_EQ(value("1 * k / 49"), 3) << "from left to right, without 1 / 49";
}

TEST_F(ExpressionTest, NumbersMayHaveFractionsAndExponents) {
  for (const char* hundred : {"1e2", "1E+2", ".1e3", "100.", "0100.0", "10000e-2", "\t1.e2\n"})
    EXPECT_EQ(value(hundred), 100) << hundred;
  EXPECT_EQ(evaluator.number("5e-324").value(), 5e-324);
}

TEST_F(ExpressionTest, OnlyTheChosenValueMayFail) {
  EXPECT_EQ(value("1 ? 2 : ceildiv(1, 0)"), 2);
  EXPECT_EQ(value("k == 0 ? isqrt(-1) : 3"), 3);
  EXPECT_TRUE(has(problem("k ? isqrt(-1) : 3"), "isqrt does not accept negative numbers"));
  EXPECT_TRUE(has(problem("0 && 1 % 0"), "% divides by zero"));
  EXPECT_TRUE(has(problem("1 || floordiv(k, 0.5)"), "floordiv accepts whole numbers"));
}

struct WrongExpression {
  const char* text;
  const char* why;
};

constexpr WrongExpression kWrongExpressions[] = {
    {"", "a number, a name or ( is missing at the end"},
    {"k + ", "a number, a name or ( is missing at the end"},
    {"k + * 2", "a number, a name or ( is missing before '*' (character 5)"},
    {"--k", "a number, a name or ( is missing before '-' (character 2)"},
    {"()", "a number, a name or ( is missing before ')' (character 2)"},
    {"min(1,)", "a number, a name or ( is missing before ')' (character 7)"},
    {"k k", "an operator is missing before 'k' (character 3)"},
    {"(k) 2", "an operator is missing before '2' (character 5)"},
    {"(k)(2)", "an operator is missing before '(' (character 4)"},
    {"k)", "')' (character 2) closes no parenthesis"},
    {"2 * (k + 1", "the ( at character 5 is not closed"},
    {"min(1, 2", "the ( at character 4 is not closed"},
    {"1, 2", "',' (character 2) is not between the arguments of a function"},
    {"max((1, 2))", "',' (character 7) is not between the arguments of a function"},
    {"k ? 1", "the ? at character 3 has no :"},
    {"(k ? 1) : 2", "the ? at character 4 has no :"},
    {"k : 1", "':' (character 3) has no ? before it"},
    {"k (3)", "'k' (character 1) is no function"},
    {"min(1, 2, 3)", "'min' (character 1) takes 2 arguments, not 3"},
    {"1 + isqrt()", "'isqrt' (character 5) takes 1 argument, not 0"},
    {"x.sum(1)", "'x.sum' (character 1) takes 2 arguments, not 1"},
    {"2 * min", "'min' (character 5) is a function; write min(...)"},
    {"x + 1", "'x' (character 1) is a function; write x(...)"},
    {"x.mean(0, 1)", "there is no value 'x.mean' (character 1)"},
    {"2k", "'2k' (character 1) is not a number"},
    {"1.5.2", "'1.5.2' (character 1) is not a number"},
    {"0x10", "'0x10' (character 1) is not a number"},
    {"1e", "'1e' (character 1) is not a number"},
    {"1e400", "'1e400' (character 1) is too large or too small for a number"},
    {"!k", "'!' (character 1) is not part of an expression"},
    {"k & 1", "'&' (character 3) is not part of an expression"},
    {"2 × k × k", "'×' (character 3) is not part of an expression"},
};

TEST_F(ExpressionTest, AnErrorNamesTheWrongPart) {
  evaluator.setElements("x", {1, 2});
  for (const auto& [text, why] : kWrongExpressions) {
    const std::string start = "the expression '" + std::string(text) + "' cannot be evaluated: ";
    EXPECT_EQ(problem(text), start + why);
    EXPECT_FALSE(evaluator.check(text).ok()) << text;
  }
  EXPECT_TRUE(has(problem("k == = 3"), "write =="));
  EXPECT_TRUE(has(problem("y(0)"), "y in 'y(0)' is not a size, tunable or limit"));
  EXPECT_TRUE(evaluator.check("isqrt(-1)").ok());
}

std::string repeated(size_t times, const std::string& text) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST_F(ExpressionTest, NestedPartsHaveALimit) {
  evaluator.setElements("x", {1, 2});
  EXPECT_EQ(value(repeated(127, "(") + "1" + repeated(127, ")")), 1);
  EXPECT_EQ(value("0" + repeated(249, "+1")), 249);
  EXPECT_EQ(value(repeated(70, "k==1?3:") + "4"), 4);
  EXPECT_EQ(value(repeated(50, "max(1,") + "2" + repeated(50, ")")), 2);
  EXPECT_EQ(value(repeated(120, "1?") + "2" + repeated(120, ":3")), 2);
  for (const char* part : {"(", "-(", "2^", "1?", "1+(", "x("}) {
    const std::string why = problem(repeated(490 / std::strlen(part), part) + "1");
    EXPECT_TRUE(has(why, "nested too deeply; at most 128 nested parts")) << why;
  }
  EXPECT_TRUE(has(problem(std::string(501, ' ')), "too long; at most 500 characters"));
}

TEST_F(ExpressionTest, DottedNamesAndFractionsAreSupported) {
  evaluator.setNumber("naive.measurement.median_ms", 0.422);
  evaluator.set("naive.launch.block.0", 16);
  EXPECT_EQ(evaluator.number("naive.measurement.median_ms").value(), 0.422);
  EXPECT_EQ(evaluator.number("1.5 * naive.launch.block.0 + .5").value(), 24.5);
  EXPECT_FALSE(evaluator.number("naive.launch.block.1").ok());
  EXPECT_FALSE(evaluator.number("naive.launch").ok());
}

TEST_F(ExpressionTest, ElementsCanBeReadAddedAndCounted) {
  evaluator.setElements("x", {3, -5, 8, 11});
  evaluator.set("i", 1);
  const auto valueOf = [&](const std::string& text) {
    const Result<double> value = evaluator.number(text);
    return value ? *value : NAN;
  };
  EXPECT_EQ(valueOf("x(i - 1) + x(i) + x(i + 1)"), 6);
  EXPECT_EQ(valueOf("x(-1) + x(4)"), 0) << "there are no such elements";
  EXPECT_EQ(valueOf("x.sum(1, 3)"), 3);
  EXPECT_EQ(valueOf("x.sum(-7, 99)"), 17);
  EXPECT_EQ(valueOf("x.sum(3, 1)"), 0);
  EXPECT_EQ(valueOf("x.max(0, 99)"), 11);
  EXPECT_EQ(valueOf("x.max(1, 2)"), -5);
  EXPECT_EQ(valueOf("x.min(0, 3)"), -5);
  EXPECT_EQ(valueOf("x.max(3, 3)"), 0);
  EXPECT_EQ(valueOf("x.count(8, 3)"), 3) << "-5 = -8 + 3";
  EXPECT_EQ(valueOf("x.count(8, 0)"), 1);
  EXPECT_EQ(valueOf("x.count(8, 8)"), 0);
  EXPECT_EQ(valueOf("x.count(-8, 3)"), 3);
  EXPECT_EQ(valueOf("x.count(1000000, 11)"), 1) << "too many remainders for a table";
  EXPECT_EQ(valueOf("x.count(1000000, 999995)"), 1);
  EXPECT_EQ(valueOf("x.count(1000000, -5)"), 0);
  for (int round = 0; round < 2; ++round)
    for (int divisor = 20; divisor < 40; ++divisor)
      EXPECT_EQ(valueOf("x.count(" + std::to_string(divisor) + ", 11)"), 1) << divisor;
  for (const char* wrong : {"x(0.5)", "x.sum(0)", "x.count(0, 1)", "y(0)", "x"})
    EXPECT_FALSE(evaluator.number(wrong).ok()) << wrong;
}

TEST_F(ExpressionTest, CanBeStoppedBetweenElements) {
  constexpr size_t kElements = size_t{1} << 20;
  evaluator.setElements("x", std::vector<double>(kElements, 1));
  size_t asked = 0;
  bool stop = false;
  evaluator.stopWhen([&] {
    ++asked;
    return stop;
  });
  for (const char* text : {"x.count(7, 1)", "x.count(7000000, 1)", "x.sum(0, 1048576)"}) {
    stop = true;
    asked = 0;
    const Result<double> stopped = evaluator.number(text);
    ASSERT_FALSE(stopped.ok()) << text;
    EXPECT_EQ(stopped.error().kind, ErrorKind::work) << stopped.error().message;
    EXPECT_EQ(asked, 1U) << text;
    stop = false;
    const auto whole = valueOrThrow(evaluator.number(text));
    EXPECT_EQ(whole, kElements) << text;
    EXPECT_GE(asked, kElements / 10000) << text;
  }
}

}  // namespace tilestep::compile::expression_test
