// SPDX-License-Identifier: Apache-2.0
#include "model/text/glossary.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>

namespace tilestep::model::glossary_test {

TEST(Glossary, AWordIsFoundDespitePunctuationAndCase) {
  for (const char* word : {"lane", "Lanes", "(lanes,", "lanes.", "**lane**"})
    ASSERT_NE(termOf(word), nullptr) << word;
  EXPECT_EQ(termOf("lanes")->name, "lane");
  EXPECT_EQ(termOf("__syncthreads();")->name, "barrier");
  EXPECT_EQ(termOf("TFLOP/s,")->name, "FLOP/s");
  for (const char* word : {"", ",", "plane", "lan", "the"})
    EXPECT_EQ(termOf(word), nullptr) << word;
}

TEST(Glossary, EachWordRefersToOneTerm) {
  std::set<std::string> words;
  for (const Term& term : glossary()) {
    std::istringstream each{std::string(term.words)};
    for (std::string word; each >> word;) {
      EXPECT_TRUE(words.insert(word).second) << word;
      EXPECT_EQ(termOf(word), &term) << word;
    }
  }
}

}  // namespace tilestep::model::glossary_test
