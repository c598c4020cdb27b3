// SPDX-License-Identifier: Apache-2.0
// Damaged front matter, specs and expressions. Each is refused with a reason and a location, or
// gives plans within a device's limits.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "compile/front_matter/spec.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/checks.h"
#include "fuzz/found.h"
#include "fuzz/text_mutator.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::fuzz::front_matter_fuzz_test {

constexpr std::string_view kOpen = "/*---", kClose = "---*/";

/// The kernels, and their front matter alone.
std::vector<std::string> seeds() {
  std::vector<std::string> texts;
  for (const char* folder : {"/kernels", "/tests/corpus"})
    for (const auto& path : filesIn(support::sourceRoot() + folder, ".cu")) {
      const std::string text = readTextFile(path).value();
      const size_t open = text.find(kOpen), close = text.find(kClose);
      if (close == std::string::npos) continue;
      texts.push_back(text.substr(open));
      texts.push_back(text.substr(open + kOpen.size(), close - open - kOpen.size()));
    }
  return texts;
}

TEST(FuzzFrontMatter, InputsFoundByLibFuzzerHold) {
  const auto found = foundTexts("front_matter"), expressions = foundTexts("expression");
  EXPECT_GT(found.size(), 20U);
  EXPECT_GT(expressions.size(), 20U);
  for (const auto& input : found) EXPECT_EQ(checkFrontMatter(input), "") << input;
  for (const auto& input : expressions) EXPECT_EQ(checkExpression(input), "") << input;
}

/// The TOML parser recurses for each part of a key.
TEST(FuzzFrontMatter, KeysOfManyPartsAreRefused) {
  std::string key = "a";
  for (int part = 1; part < 200'000; ++part) key += ".a";
  for (const std::string& text :
       {key + " = 1\n", "[" + key + "]\n", "title = \"k\"\nsizes = { " + key + " = 1 }\n"}) {
    EXPECT_EQ(checkFrontMatter(text), "");
    const auto spec = compile::parseSpec("deep.toml", text);
    EXPECT_TRUE(fails(spec, "this key has more than 32 parts"));
  }
}

TEST(FuzzFrontMatter, DamagedKernelsAndTables) {
  const std::vector<std::string> texts = seeds();
  ASSERT_GE(texts.size(), 50U);
  for (const std::string& text : texts) EXPECT_EQ(checkFrontMatter(text), "") << text;
  TextMutator mutator(texts, 7, dictionary("toml"));
  resetLargestAllocation();
  for (int trial = 0; trial < 1500; ++trial) {
    const std::string text = mutator.next();
    ASSERT_EQ(checkFrontMatter(text), "") << "trial " << trial << ":\n" << text;
  }
  EXPECT_LT(largestAllocation(), size_t{8} << 20);
}

TEST(FuzzFrontMatter, ExpressionsOfRandomPieces) {
  constexpr std::string_view kPieces[] = {
      "n",      "TILE", "most",     "run.ms", "A(", "A.sum(", "A.count(", "A.max(",
      "(",      "(",    ")",        ",",      "+",  "-",      "*",        "/",
      "%",      "^",    "==",       "<",      "&&", "||",     "?",        ":",
      "min(",   "max(", "ceildiv(", "0",      "1",  "0.5",    "1e308",    "floordiv(",
      "isqrt(", "2",    "53",       " ",      "!",  "=",      "1e-5",     "9007199254740993",
      ".5",     "1e",   "TILE^2",   "n==1?2:"};
  std::mt19937 random(8);
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (size_t i = random() % 9 + 1; i > 0; --i) text += kPieces[random() % std::size(kPieces)];
    ASSERT_EQ(checkExpression(text), "") << text;
  }
}

TEST(FuzzFrontMatter, ExpressionsOfRepeatedPieces) {
  constexpr std::string_view kPieces[] = {"(",    "-(",   "-",  "A(",  "min(1,", "A.sum(0,",
                                          "1?",   "1?1:", "1^", "1+(", "1||(",   "1<1+1*1^(",
                                          "A(1)", "1+",   "+",  "1-"};
  std::mt19937 random(9);
  for (int trial = 0; trial < 2000; ++trial) {
    const std::string_view usual = kPieces[random() % std::size(kPieces)];
    const size_t length = random() % 400;
    std::string text, end;
    while (text.size() < length) {
      const bool isUsual = random() % 16 != 0;
      const std::string_view piece = isUsual ? usual : kPieces[random() % std::size(kPieces)];
      text += piece;
      if (piece.back() == '(' || piece.back() == ',') end = ")" + end;
      if (piece.back() == '?') end = ":1" + end;
    }
    const std::string whole = text + "1" + end;
    ASSERT_EQ(checkExpression(whole), "") << whole;
  }
}

}  // namespace tilestep::fuzz::front_matter_fuzz_test
