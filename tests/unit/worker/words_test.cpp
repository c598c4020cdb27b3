// SPDX-License-Identifier: Apache-2.0
#include "worker/words.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/results.h"

namespace tilestep::worker::words_test {

using Words = std::vector<std::string>;

TEST(Words, AreSplitAndUnquotedAndNotExpanded) {
  const std::pair<std::string_view, Words> cases[] = {
      {"ssh host tilestep worker", {"ssh", "host", "tilestep", "worker"}},
      {"  a\t b \n", {"a", "b"}},
      {"'a b' \"c d\" e\\ f", {"a b", "c d", "e f"}},
      {"a'b'\"c\"d", {"abcd"}},
      {"'' x \"\"", {"", "x", ""}},
      {R"('a\b' "a\b" "a\"b" "a\\b" "\$x")", {R"(a\b)", R"(a\b)", R"(a"b)", R"(a\b)", "$x"}},
      {R"("it's" 'say "x"')", {"it's", "say \"x\""}},
      {"~ $HOME *.cu ; | > #", {"~", "$HOME", "*.cu", ";", "|", ">", "#"}},
  };
  for (const auto& [command, words] : cases)
    EXPECT_EQ(valueOrThrow(splitWords(command)), words) << command;
}

TEST(Words, InvalidCommandsAreRefused) {
  for (const char* command : {"", "   ", "'open", "\"open", "end\\"}) {
    const auto words = splitWords(command);
    ASSERT_FALSE(words) << command;
    EXPECT_EQ(words.error().kind, ErrorKind::request);
  }
  EXPECT_TRUE(has(splitWords("a 'b").error().message, "open '"));
}

}  // namespace tilestep::worker::words_test
