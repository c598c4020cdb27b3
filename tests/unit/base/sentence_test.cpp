// SPDX-License-Identifier: Apache-2.0
#include "base/sentence.h"

#include <gtest/gtest.h>

namespace tilestep::sentence_test {

TEST(Sentences, EndWithOneFullStop) {
  EXPECT_EQ(asSentence("It ends"), "It ends.");
  EXPECT_EQ(asSentence("It ends."), "It ends.");
  EXPECT_EQ(asSentence("It ends\n\n"), "It ends.");
  EXPECT_EQ(asSentence(""), "");
}

TEST(Sentences, AreShortenedBetweenCharacters) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("longer", 5), "longe…");
  EXPECT_EQ(shortened("a×b", 2), "a…") << "× has two bytes";
  EXPECT_EQ(shortened("a×b", 3), "a×…");
  EXPECT_EQ(shortened("a×b", 4), "a×b");
  EXPECT_EQ(shortened("×", 1), "…");
}

}  // namespace tilestep::sentence_test
