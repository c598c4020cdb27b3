// SPDX-License-Identifier: Apache-2.0
// Damaged exercises: each is refused with a reason and its place, or keeps what the format
// promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/exercise_check.h"
#include "fuzz/text_mutator.h"
#include "model/files/exercise_file.h"
#include "support/source_root.h"

namespace tilestep::model {
namespace exercise_fuzz_test {

constexpr const char* kFile = "bug_any.cu";
constexpr size_t kLongest = 8192;

std::vector<std::string> shippedTexts() {
  std::vector<std::string> texts;
  for (const auto& path : filesIn(support::sourceRoot() + "/assets/exercises", ".cu"))
    texts.push_back(readTextFile(path).value());
  return texts;
}

/// What stands in an exercise's front matter, and what does not belong there.
std::vector<std::string_view> words() {
  return {"[exercise]",
          "[[exercise]]",
          "[exercise.shown]",
          "number = 0",
          "number = 1000",
          "number = 1.5",
          "symptom = \"\"",
          "symptom = \"a\\tb\"",
          "hints = []",
          "hints = [\"\"]",
          "hints = [1]",
          "fails = [\"result\", \"taste\"]",
          "block = [1]",
          "block = [-1, 65536]",
          "hidden = []",
          "hidden = [{}]",
          "hidden = [{ n = 9223372036854775807 }]",
          "hidden = [{ n = 0 }, 1]",
          "shown = 3",
          "{ n = -1 }",
          "BLOCK = 18446744073709551615",
          "\"",
          "\"\"\"",
          "= ",
          "[",
          "]",
          "{",
          "}",
          "0",
          "9",
          "99",
          "-",
          "*/",
          "/*",
          "---",
          "\n",
          "\xff",
          "\\u0000"};
}

TEST(ExerciseFuzz, EveryShippedOneHolds) {
  const std::vector<std::string> seeds = shippedTexts();
  ASSERT_GE(seeds.size(), 5U);
  for (const std::string& seed : seeds) {
    EXPECT_LE(seed.size(), kLongest) << "else the mutator cuts it";
    const Result<Exercise> read = parseExercise(seed, kFile);
    ASSERT_TRUE(read) << toString(read.error());
    EXPECT_EQ(fuzz::checkExercise(seed), "");
  }
}

/// How many of the trials were read as exercises.
struct Trials {
  int all = 0, accepted = 0;
  void add(const std::string& text) {
    const Result<Exercise> read = parseExercise(text, kFile);
    ++all;
    accepted += read ? 1 : 0;
    ASSERT_EQ(fuzz::checkExercise(text), "") << "trial " << all << ":\n" << text;
  }
  void expectBoth() const {
    EXPECT_GT(accepted, all / 20) << "else this tests nothing but refusals";
    EXPECT_LT(accepted, all) << "else nothing is checked";
  }
};

TEST(ExerciseFuzz, ADamagedFileIsRefusedWithAReasonOrKeepsItsBounds) {
  fuzz::TextMutator mutator(shippedTexts(), 11, words());
  Trials trials;
  fuzz::resetLargestAllocation();
  for (int i = 0; i < 2000 && !HasFatalFailure(); ++i) trials.add(mutator.next());
  trials.expectBoth();
  EXPECT_LT(fuzz::largestAllocation(), size_t{4} << 20);
}

/// The text with one of its numbers replaced by one at the edge of what fits.
std::string withAnotherNumber(const std::string& text, std::mt19937& random) {
  constexpr std::array<const char*, 9> kTelling{
      "0", "1", "999", "1000", "65536", "-1", "2147483648", "9223372036854775807", "1.5"};
  const auto below = [&](size_t limit) { return static_cast<size_t>(random() % limit); };
  constexpr const char* kDigits = "0123456789";
  const size_t start = text.find_first_of(kDigits, below(text.size()));
  if (start == std::string::npos) return text;
  const size_t end = std::min(text.find_first_not_of(kDigits, start), text.size());
  return text.substr(0, start) + kTelling[below(kTelling.size())] + text.substr(end);
}

TEST(ExerciseFuzz, ADamagedTableIsRefusedWithAReasonOrKeepsItsBounds) {
  Trials trials;
  uint32_t number = 12;
  std::mt19937 random(13);
  for (const std::string& text : shippedTexts()) {
    const size_t begin = text.find("[exercise]"), end = text.find("---*/");
    ASSERT_LT(begin, end);
    ASSERT_NE(end, std::string::npos);
    const std::string table = text.substr(begin, end - begin);
    fuzz::TextMutator mutator({table}, number++, words());
    for (int i = 0; i < 300 && !HasFatalFailure(); ++i) {
      const std::string damaged = i % 3 == 0 ? withAnotherNumber(table, random) : mutator.next();
      trials.add(text.substr(0, begin) + damaged + text.substr(end));
    }
  }
  trials.expectBoth();
}

}  // namespace exercise_fuzz_test
}  // namespace tilestep::model
