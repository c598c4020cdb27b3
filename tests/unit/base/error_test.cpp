// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <gtest/gtest.h>

namespace tilestep::error_test {

Error at(int line, int column, std::string sourceLine) {
  Error error = requestError("expected ';'");
  error.where = TextLocation{"kernels/x.cu", line, column};
  error.sourceLine = std::move(sourceLine);
  return error;
}

TEST(ErrorText, WithoutAPositionIsOnlyTheMessage) {
  EXPECT_EQ(toString(workError("the disk is full")), "the disk is full");
}

TEST(ErrorText, ShowsPositionLineAndCaret) {
  const struct {
    int line, column;
    const char *source, *text;
  } cases[] = {
      {0, 0, "", "kernels/x.cu: expected ';'"},
      {0, 7, "", "kernels/x.cu: expected ';'"},
      {3, 0, "", "kernels/x.cu:3: expected ';'"},
      {3, 0, "int a", "kernels/x.cu:3: expected ';'\nint a"},
      {3, 1, "int a", "kernels/x.cu:3:1: expected ';'\nint a\n^"},
      {3, 6, "int a", "kernels/x.cu:3:6: expected ';'\nint a\n     ^"},
      // Tabs before the caret stay tabs.
      {3, 6, "\tint\ta", "kernels/x.cu:3:6: expected ';'\n\tint\ta\n\t   \t^"},
      // Columns count bytes, as in compilers' messages; "µ" has two bytes and one column on screen.
      {1, 4, "µs a", "kernels/x.cu:1:4: expected ';'\nµs a\n  ^"},
      // Control characters and invalid UTF-8 are replaced.
      {1, 0,
       "a\x1b[2J\xff"
       "b\tµ\x7f\xc2\x9b",
       "kernels/x.cu:1: expected ';'\na?[2J?b\tµ???"},
  };
  for (const auto& each : cases)
    EXPECT_EQ(toString(at(each.line, each.column, each.source)), each.text);
}

TEST(ErrorText, AbsurdColumnDoesNotFillTheScreen) {
  const std::string text = toString(at(1, 2000000000, "int a"));
  EXPECT_LT(text.size(), 100U);
  EXPECT_EQ(text.back(), '^');
}

TEST(ErrorText, ALongLineIsCutAroundItsColumn) {
  std::string line(1000, 'x');
  line[499] = '!';
  const std::string text = toString(at(1, 500, line));
  EXPECT_LT(text.size(), 400U);
  const size_t shown = text.find('\n') + 1, under = text.find('\n', shown) + 1;
  const std::string cut = text.substr(shown, under - 1 - shown);
  EXPECT_EQ(cut.substr(0, 3), "…");
  // The ellipsis has three bytes and one column.
  EXPECT_EQ(cut[text.find('^') - under + 2], '!');
}

}  // namespace tilestep::error_test
