// SPDX-License-Identifier: Apache-2.0
// Damaged files (pinned runs, the window's state, lessons, labs, exercises, the course, grades).
// Each is refused with a reason and a location, or satisfies its format's rules.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "features/course/course.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/checks.h"
#include "fuzz/found.h"
#include "fuzz/text_mutator.h"
#include "grade/class_file.h"
#include "grade/trouble.h"
#include "model/files/saved.h"
#include "support/source_root.h"
#include "unit/features/pins/pins_samples.h"

namespace tilestep::fuzz::files_fuzz_test {

using Check = std::function<std::string(std::string_view)>;

std::vector<std::string> shipped(const std::string& folder, const std::string& ending) {
  std::vector<std::string> texts;
  for (const auto& path : filesIn(support::sourceRoot() + folder, ending))
    texts.push_back(readTextFile(path).value());
  return texts;
}

std::vector<std::string> pins() {
  return {model::toToml(model::Pins{{features::samplePin(7), features::countedPin(8)}, 7}),
          model::toToml(model::Pins{{features::samplePin(1)}, 0}), model::toToml(model::Pins{})};
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

/// Replays known inputs, then damages the seeds. Keeping many lines of the seeds makes some of the
/// texts acceptable.
void hold(const std::string& name, const Check& check, const std::vector<std::string>& seeds,
          const std::vector<std::string>& words, int trials) {
  ASSERT_FALSE(seeds.empty());
  for (const std::string& text : foundTexts(name)) EXPECT_EQ(check(text), "") << text;
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
  hold("pins", checkPins, pins(), dictionary("toml"), 3000);
}

TEST(FuzzFiles, TheWindowsState) {
  hold("saved", checkSaved, states(), dictionary("toml"), 3000);
}

TEST(FuzzFiles, Lessons) {
  hold("lesson", checkLesson, shipped("/assets/lessons", ".md"), dictionary("lesson"), 1000);
}

TEST(FuzzFiles, Labs) {
  hold("lab", checkLab, shipped("/assets/labs", ".toml"), dictionary("toml"), 2000);
}

TEST(FuzzFiles, Exercises) {
  hold("exercise", checkExercise, shipped("/assets/exercises", ".cu"), dictionary("toml"), 2000);
}

/// All links of an accepted course point to files of its three folders.
std::string checkCourse(std::string_view text) {
  const auto read = features::parseCourse(std::string(text), "course.md");
  if (!read) return checkRefusal(read.error(), text, true);
  size_t length = read->title.size();
  for (const features::CourseBlock& block : read->blocks) {
    length += block.text.size();
    for (const features::CourseLink& link : block.links) {
      if (link.name.empty() || link.name.find('/') != std::string::npos)
        return "a link to no file of a folder: " + link.name;
      if (block.text.find(link.text) == std::string::npos)
        return "a link whose words are not in the text: " + link.text;
    }
  }
  return length > text.size() ? "more text than there was" : "";
}

TEST(FuzzFiles, TheCourse) {
  hold("course", checkCourse, {readTextFile(support::sourceRoot() + "/docs/course.md").value()},
       dictionary("lesson"), 4000);
}

grade::Grade handIn(const std::string& id, std::vector<grade::Trouble> troubles) {
  grade::Grade one;
  one.id = id;
  one.file = id + ".cu";
  one.hash = "hash of " + id;
  one.verdict = troubles.empty() ? grade::Verdict::right : grade::Verdict::wrong;
  one.rows = {{"result", 6, 6, ""}};
  one.troubles = std::move(troubles);
  return one;
}

/// A damaged file of a class is refused, or contains only troubles that grading can find.
TEST(FuzzFiles, GradesOfAClass) {
  const std::vector<grade::Grade> grades{
      handIn("ada", {{"guard", {}, 0}, {"count", "barriers", 2.5}}),
      handIn("alan", {{"not-compiled", "no 'x'", 0}}), handIn("zoe", {})};
  grade::RunFacts facts;
  facts.version = "1.0";
  const auto check = [&](std::string_view text) -> std::string {
    const grade::FoundBefore before(std::string(text), "1.0");
    for (const grade::Grade& one : grades) {
      const auto troubles = before.of(one);
      if (troubles && !grade::isClassJson(std::string(text))) return "troubles of no class file";
      for (const grade::Trouble& trouble : troubles.value_or(std::vector<grade::Trouble>()))
        if (grade::troubleWords(trouble.kind) == nullptr) return "a kind of trouble without a name";
    }
    return {};
  };
  hold("class", check, {grade::toClassJson(grades, facts)},
       {"{", "}", "[", "]", ":", ",", "null", "-1", "\"found\"", "\"kind\"", "\"guard\""}, 4000);
}

}  // namespace tilestep::fuzz::files_fuzz_test
