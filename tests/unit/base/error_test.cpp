// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <gtest/gtest.h>

namespace tilestep {
namespace error_test {

Error at(int line, int column, std::string sourceLine) {
  Error error = requestError("expected ';'");
  error.where = TextLocation{"kernels/x.cu", line, column};
  error.sourceLine = std::move(sourceLine);
  return error;
}

TEST(ErrorText, MessageAloneWithoutAPlace) {
  EXPECT_EQ(toString(workError("the disk is full")), "the disk is full");
}

TEST(ErrorText, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(toString(at(0, 0, "")), "kernels/x.cu: expected ';'");
  EXPECT_EQ(toString(at(0, 7, "")), "kernels/x.cu: expected ';'");
  EXPECT_EQ(toString(at(3, 0, "")), "kernels/x.cu:3: expected ';'");
  EXPECT_EQ(toString(at(3, 0, "int a")), "kernels/x.cu:3: expected ';'\nint a");
}

TEST(ErrorText, CaretStandsUnderItsColumn) {
  EXPECT_EQ(toString(at(3, 1, "int a")), "kernels/x.cu:3:1: expected ';'\nint a\n^");
  EXPECT_EQ(toString(at(3, 6, "int a")), "kernels/x.cu:3:6: expected ';'\nint a\n     ^");
}

TEST(ErrorText, TabsBeforeTheCaretStayTabs) {
  EXPECT_EQ(toString(at(3, 6, "\tint\ta")), "kernels/x.cu:3:6: expected ';'\n\tint\ta\n\t   \t^");
}

TEST(ErrorText, CaretCountsCharactersNotBytes) {
  // Columns count bytes, as compilers do; "µ" takes two of them and one place on screen.
  EXPECT_EQ(toString(at(1, 4, "µs a")), "kernels/x.cu:1:4: expected ';'\nµs a\n  ^");
}

TEST(ErrorText, AbsurdColumnDoesNotFillTheScreen) {
  const std::string text = toString(at(1, 2000000000, "int a"));
  EXPECT_LT(text.size(), 100U);
  EXPECT_EQ(text.back(), '^');
}

TEST(ErrorText, ATerminalGetsNoControlCharactersNorBrokenText) {
  EXPECT_EQ(toString(at(1, 0,
                        "a\x1b[2J\xff"
                        "b\tµ\x7f\xc2\x9b")),
            "kernels/x.cu:1: expected ';'\na?[2J?b\tµ???");
}

TEST(ErrorText, ALongLineIsCutAroundItsColumn) {
  std::string line(1000, 'x');
  line[499] = '!';
  const std::string text = toString(at(1, 500, line));
  EXPECT_LT(text.size(), 400U);
  const size_t shown = text.find('\n') + 1, under = text.find('\n', shown) + 1;
  const std::string cut = text.substr(shown, under - 1 - shown);
  EXPECT_EQ(cut.substr(0, 3), "…");
  // The ellipsis takes three bytes and one place.
  EXPECT_EQ(cut[text.find('^') - under + 2], '!');
}

}  // namespace error_test
}  // namespace tilestep
