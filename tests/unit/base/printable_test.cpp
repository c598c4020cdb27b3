// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <gtest/gtest.h>

#include <random>

namespace tilestep::printable_test {

TEST(Printable, PlainTextStays) {
  for (const char* text : {"", "check right", "a\n\tb", "µs · 16 × 16", "日本語", "😀", "\\x1b"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable("a\rb\x07\x7f"), "a\\x0db\\x07\\u007f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m")
      << "the C1 control CSI, in UTF-8";
}

TEST(Printable, EscapesInvalidUtf8) {
  EXPECT_EQ(printable("a\xff\xfe"), "a\\xff\\xfe");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong form";
  EXPECT_EQ(printable("\xe0\x80\x9b"), "\\xe0\\x80\\x9b");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xe6\x97"), "\\xe6\\x97") << "truncated";
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Printable, EscapesDirectionMarks) {
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b\xe2\x81\xa6"),
            "a\\u202eb\\u2066");
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\u2028");
}

TEST(Printable, LineHasNoNewlines) {
  EXPECT_EQ(printableLine("a.cu\ncheck right\t1\r\n"), "a.cu\\ncheck right 1\\n");
}

TEST(Printable, BlockIndentsAllLinesButTheFirst) {
  EXPECT_EQ(printableBlock("one\ncheck right", "    "), "one\n    check right");
  EXPECT_EQ(printableBlock("one\n", "  "), "one\n  ");
}

TEST(Printable, RandomBytesYieldNoControlCharacters) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string text(random() % 64, '\0');
    for (char& c : text) c = static_cast<char>(random());
    for (const unsigned char c : printableLine(text)) {
      EXPECT_GE(c, 0x20);
      EXPECT_NE(c, 0x7f);
    }
    EXPECT_EQ(printable(printable(text)), printable(text));
  }
}

}  // namespace tilestep::printable_test
