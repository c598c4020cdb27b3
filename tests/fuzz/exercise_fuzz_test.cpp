// SPDX-License-Identifier: Apache-2.0
// Damaged exercises: each is refused with a reason and its place, or keeps what the format
// promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/launch.h"
#include "fuzz/allocation_guard.h"
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
          "*/",
          "/*",
          "---",
          "\n",
          "\xff",
          "\\u0000"};
}

/// A text on one line, within its bounds.
bool isText(const std::string& text) {
  return !text.empty() && text.size() <= 600 &&
         std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

/// What is wrong with a launch; empty: nothing.
std::string problemOf(const Exercise& exercise, const ExerciseLaunch& launch) {
  const auto plan = compile::plan(exercise.spec.kernel, launch.sizes, launch.tunables, Limits{});
  return plan ? "" : "a launch that is not legal: " + plan.error().message;
}

/// What is wrong with an answer to a text; empty: nothing.
std::string problemOf(const Result<Exercise>& read, const std::string& text) {
  if (!read) {
    const Error& error = read.error();
    const auto lines = 1 + std::ranges::count(text, '\n');
    if (error.message.empty()) return "an error without a reason";
    if (error.where && (error.where->line < 0 || error.where->line > lines))
      return "an error at line " + std::to_string(error.where->line) + " of " +
             std::to_string(lines);
    return "";
  }
  if (read->number < 1 || read->number > 999) return "a number out of its range";
  if (!isText(read->symptom)) return "a symptom that is no text on one line";
  if (read->hints.empty() || read->hints.size() > 6) return "a number of hints out of its range";
  if (!std::ranges::all_of(read->hints, isText)) return "a hint that is no text on one line";
  if (read->hidden.empty() || read->hidden.size() > 12) return "a number of launches out of range";
  if (read->block.x > 65535 || read->block.y > 65535) return "a block out of its range";
  for (const ExerciseLaunch& launch : read->hidden)
    if (const std::string problem = problemOf(*read, launch); !problem.empty()) return problem;
  return problemOf(*read, read->shown);
}

TEST(ExerciseFuzz, EveryShippedOneHolds) {
  const std::vector<std::string> seeds = shippedTexts();
  ASSERT_GE(seeds.size(), 5U);
  for (const std::string& seed : seeds) {
    EXPECT_LE(seed.size(), kLongest) << "else the mutator cuts it";
    const Result<Exercise> read = parseExercise(seed, kFile);
    ASSERT_TRUE(read) << toString(read.error());
    EXPECT_EQ(problemOf(read, seed), "");
  }
}

TEST(ExerciseFuzz, EveryMutationIsRefusedWithAReasonOrKeepsItsBounds) {
  fuzz::TextMutator mutator(shippedTexts(), 11, words());
  constexpr int kTrials = 4000;
  int accepted = 0;
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::string text = mutator.next();
    const Result<Exercise> read = parseExercise(text, kFile);
    accepted += read ? 1 : 0;
    ASSERT_EQ(problemOf(read, text), "") << "trial " << trial << ":\n" << text;
  }
  EXPECT_GT(accepted, kTrials / 20) << "else this tests nothing but refusals";
  EXPECT_LT(accepted, kTrials) << "else nothing is checked";
  EXPECT_LT(fuzz::largestAllocation(), size_t{4} << 20);
}

}  // namespace exercise_fuzz_test
}  // namespace tilestep::model
