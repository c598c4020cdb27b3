// SPDX-License-Identifier: Apache-2.0
// Damaged files of the window (pinned runs, its state, lessons, labs): each is refused with a
// reason and its place, or keeps what its format promises.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/exercise_check.h"
#include "fuzz/found.h"
#include "fuzz/lab_check.h"
#include "fuzz/lesson_check.h"
#include "fuzz/pins_check.h"
#include "fuzz/saved_check.h"
#include "fuzz/text_mutator.h"
#include "model/files/saved.h"
#include "support/source_root.h"
#include "unit/features/pins/pins_samples.h"

namespace tilestep::fuzz {
namespace files_fuzz_test {

using Check = std::function<std::string(std::string_view)>;

std::vector<std::string> shipped(const std::string& folder, const std::string& ending) {
  std::vector<std::string> texts;
  for (const auto& path : filesIn(support::sourceRoot() + folder, ending))
    texts.push_back(readTextFile(path).value());
  return texts;
}

std::vector<std::string> pins() {
  return {toToml(model::Pins{{model::samplePin(7), model::countedPin(8)}, 7}),
          toToml(model::Pins{{model::samplePin(1)}, 0}), toToml(model::Pins{})};
}

std::vector<std::string> states() {
  model::Saved saved;
  saved.choice.kernel = "matmul_tiled";
  saved.choice.tunables = {{"matmul_tiled", {{"TILE_WIDTH", 16}}}};
  saved.place.lesson = "1-why-tile";
  saved.place.lessons = {{"1-why-tile", {3, true, {{"a", true}}}}};
  saved.place.predictions = {{"divergence", 2}};
  saved.place.before.emplace();
  saved.deskCamera = model::SavedCamera{2, 1, -1};
  return {toToml(saved), toToml(model::Saved{})};
}

std::vector<std::string_view> tomlWords() {
  return {"9223372036854775807",
          "-9223372036854775808",
          "18446744073709551615",
          "4294967296",
          "-1",
          "0",
          "1e308",
          "5e-324",
          "inf",
          "-nan",
          "true",
          "\"\"",
          "\"\\u0000\"",
          "\"\\u202e\"",
          "[]",
          "[[]]",
          "{}",
          "[[pin]]\n",
          "[place]\n",
          "version = 2\n",
          "\xff",
          "=",
          "\n"};
}

std::vector<std::string_view> lessonWords() {
  return {"# ",
          "## ",
          "```step\n",
          "```ask\n",
          "```runs\n",
          "```\n",
          "{",
          "}",
          "{{",
          "{naive.",
          "| s}",
          "| %}",
          "{1 / 0}",
          "**",
          "`",
          "answer = \"",
          "choices = [\"a\"]\n",
          "because = ",
          "[[",
          "]]",
          "kernel = \"x\"",
          "\n\n",
          "\r\n",
          "\xff",
          "1e999",
          "-1",
          "9223372036854775807"};
}

/// Replays what was found, then damages the seeds. How many lines of seeds are kept makes some of
/// the texts acceptable.
void hold(const std::string& name, const Check& check, const std::vector<std::string>& seeds,
          const std::vector<std::string_view>& words, int trials) {
  ASSERT_FALSE(seeds.empty());
  for (const auto& input : foundInputs(name)) {
    const std::string text(reinterpret_cast<const char*>(input.data()), input.size());
    EXPECT_EQ(check(text), "") << text;
  }
  for (const std::string& seed : seeds) ASSERT_EQ(check(seed), "") << seed;
  TextMutator mutator(seeds, 9, words);
  resetLargestAllocation();
  for (int trial = 0; trial < trials; ++trial) {
    const std::string text = trial % 2 == 0 ? mutator.next() : mutator.nextOfLines();
    ASSERT_EQ(check(text), "") << "trial " << trial << ":\n" << text;
  }
  EXPECT_LT(largestAllocation(), size_t{8} << 20);
}

TEST(FuzzFiles, PinnedRuns) {
  hold("pins", checkPins, pins(), tomlWords(), 3000);
}

TEST(FuzzFiles, TheWindowsState) {
  hold("saved", checkSaved, states(), tomlWords(), 3000);
}

TEST(FuzzFiles, Lessons) {
  hold("lesson", checkLesson, shipped("/assets/lessons", ".md"), lessonWords(), 1000);
}

TEST(FuzzFiles, Labs) {
  hold("lab", checkLab, shipped("/assets/labs", ".toml"), tomlWords(), 2000);
}

TEST(FuzzFiles, ExercisesThatLibFuzzerFound) {
  hold("exercise", checkExercise, shipped("/assets/exercises", ".cu"), {"\n"}, 0);
}

}  // namespace files_fuzz_test
}  // namespace tilestep::fuzz
