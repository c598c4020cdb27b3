// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/lexer.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilestep::ptx::lexer_test {

std::vector<std::string> wordsOf(std::string_view text) {
  Lexer lexer(text);
  std::vector<std::string> words;
  for (Token token = lexer.next(); token.kind != Token::Kind::end; token = lexer.next()) {
    words.emplace_back(token.text);
  }
  return words;
}

using Words = std::vector<std::string>;

TEST(Lexer, SuffixesMayStartWithADigitOrContainColons) {
  EXPECT_EQ(wordsOf("tex.2d.v4 cp.shared::cta"),
            (Words{"tex", ".2d", ".v4", "cp", ".shared::cta"}));
}

TEST(Lexer, NumbersKeepTheirLettersPointsAndExponents) {
  EXPECT_EQ(wordsOf("0f3F800000 1.5e-3 0x1E+4 1e+2 3-1"),
            (Words{"0f3F800000", "1.5e-3", "0x1E", "+", "4", "1e+2", "3", "-", "1"}));
}

TEST(Lexer, SkipsCommentsAndCountsTheirLines) {
  Lexer lexer("// one\n/* two\nthree */ four\n@@DWARF .x\nfive");
  const Token four = lexer.next();
  EXPECT_EQ(four.text, "four");
  EXPECT_EQ(four.line, 3U);
  EXPECT_EQ(four.column, 10U);
  EXPECT_EQ(lexer.next().line, 5U);
  EXPECT_EQ(lexer.next().kind, Token::Kind::end);
  EXPECT_EQ(lexer.next().kind, Token::Kind::end);
}

TEST(Lexer, StringsMayContainEscapedQuotesButNoNewlines) {
  EXPECT_EQ(wordsOf("\"a\\\"b\" c"), (Words{"\"a\\\"b\"", "c"}));
  EXPECT_EQ(Lexer("\"a\nb\"").next().kind, Token::Kind::bad);
  EXPECT_EQ(Lexer("\"a\\").next().kind, Token::Kind::bad);
}

TEST(Cursor, KeepsTheFirstFailureAndSkipsToTheEnd) {
  Cursor cursor("one\n  two three", "name");
  cursor.take();
  cursor.fail("first");
  cursor.fail("second");
  EXPECT_TRUE(cursor.atEnd());
  EXPECT_EQ(toString(cursor.error()).substr(0, 16), "name:2:3: first\n");
  EXPECT_EQ(cursor.error().sourceLine, "  two three");
}

}  // namespace tilestep::ptx::lexer_test
