// SPDX-License-Identifier: Apache-2.0
#include "worker/words.h"

#include <gtest/gtest.h>

#include "support/has.h"

namespace tilestep::worker::words_test {

using Words = std::vector<std::string>;

Words wordsOf(std::string_view command) {
  const auto words = splitWords(command);
  EXPECT_TRUE(words) << command;
  return words ? *words : Words{};
}

TEST(Words, BlanksPartThem) {
  EXPECT_EQ(wordsOf("ssh host tilestep worker"), (Words{"ssh", "host", "tilestep", "worker"}));
  EXPECT_EQ(wordsOf("  a\t b \n"), (Words{"a", "b"}));
}

TEST(Words, QuotesAndBackslashes) {
  EXPECT_EQ(wordsOf("'a b' \"c d\" e\\ f"), (Words{"a b", "c d", "e f"}));
  EXPECT_EQ(wordsOf("a'b'\"c\"d"), (Words{"abcd"}));
  EXPECT_EQ(wordsOf("'' x \"\""), (Words{"", "x", ""}));
  EXPECT_EQ(wordsOf(R"('a\b' "a\b" "a\"b" "a\\b" "\$x")"),
            (Words{R"(a\b)", R"(a\b)", R"(a"b)", R"(a\b)", "$x"}));
  EXPECT_EQ(wordsOf(R"("it's" 'say "x"')"), (Words{"it's", "say \"x\""}));
}

TEST(Words, NothingIsExpanded) {
  EXPECT_EQ(wordsOf("~ $HOME *.cu ; | > #"), (Words{"~", "$HOME", "*.cu", ";", "|", ">", "#"}));
}

TEST(Words, RefusalsSayWhatToDo) {
  for (const char* command : {"", "   ", "'open", "\"open", "end\\"}) {
    const auto words = splitWords(command);
    ASSERT_FALSE(words) << command;
    EXPECT_EQ(words.error().kind, ErrorKind::request);
  }
  EXPECT_TRUE(has(splitWords("a 'b").error().message, "open '"));
}

}  // namespace tilestep::worker::words_test
