// SPDX-License-Identifier: Apache-2.0
// Traces a wrong element back to the thread that stored it and to the values that were read.
#include "features/exercises/element_story.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "features/exercises/story_table.h"
#include "features/exercises/view.h"
#include "lab/lab.h"
#include "model/files/exercise_file.h"
#include "model/scene/seeded_values.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::features::element_story_test {

/// A shipped exercise's listing at the launch that demonstrates it; null if the exercise is
/// missing.
std::shared_ptr<const TracedKernel> shown(const std::string& id) {
  const std::string home = support::sourceRoot();
  for (const Exercise& exercise : readExercises(home)) {
    if (exercise.id != id) continue;
    const Result<compile::SpecifiedKernel> listing = listingOf(exercise);
    if (!listing) return nullptr;
    lab::Lab interpreter({home, "", 1});
    lab::Experiment experiment;
    experiment.source = listing->source;
    experiment.sizes = exercise.shown.sizes;
    experiment.tunables = exercise.shown.tunables;
    experiment.device = "simt";
    experiment.measure = false;
    experiment.check = true;
    experiment.traceBlock = exercise.block;
    auto result = interpreter.run(experiment, {}, {});
    if (!result) return nullptr;
    return traceKernel({listing->source, listing->spec, {}}, lab::shared(std::move(*result)), 1, 4);
  }
  return nullptr;
}

const StoryRead* readOf(const ElementStory& story, const std::string& name) {
  const auto at = std::ranges::find(story.reads, name, &StoryRead::name);
  return at == story.reads.end() ? nullptr : &*at;
}

TEST(ElementStory, NamesTheThreadTheLineAndTheValues) {
  const auto kernel = shown("bug_plain_product");
  ASSERT_TRUE(kernel);
  const auto cells = outputCellsOf(*kernel);
  ASSERT_TRUE(cells);
  EXPECT_EQ(cells->wrong(), 16U);
  const ElementStory story = storyOf(*kernel, cells->expected, 6);
  EXPECT_EQ(story.name, "P[1][2]");
  EXPECT_FALSE(story.right);
  ASSERT_EQ(story.stores.size(), 1U);
  EXPECT_EQ(story.stores[0].thread, 6U);
  EXPECT_EQ(story.stores[0].value, cells->cells[6].value);
  // The element depends on four elements of M's row 1 and four of N's column 2.
  EXPECT_EQ(story.reads.size(), 8U);
  for (const StoryRead& read : story.reads) EXPECT_EQ(read.needed, true) << read.name;
  ASSERT_TRUE(readOf(story, "M[1][3]"));
  EXPECT_EQ(readOf(story, "M[1][3]")->value, (*kernel->inputs[0])[7]);
  EXPECT_TRUE(readOf(story, "N[3][2]"));
  EXPECT_TRUE(story.missing.empty());
  const std::string text = storyText(*kernel, story);
  EXPECT_EQ(text.find("P[1][2] should be "), 0U) << text;
  EXPECT_TRUE(has(text, "Thread (2, 1) stored "));
  EXPECT_TRUE(
      has(text, " at line " + std::to_string(story.stores[0].line) + ", before any barrier."));
}

TEST(ElementStory, FollowsASlotToItsElement) {
  const auto kernel = shown("bug_turned_tiles");
  ASSERT_TRUE(kernel);
  const auto cells = outputCellsOf(*kernel);
  const ElementStory story = storyOf(*kernel, cells->expected, 1);
  const StoryRead* read = readOf(story, "Mds[1][2]");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->element, "M[2][1]");
  EXPECT_EQ(read->needed, false) << "P[0][1] depends on row 0 of M";
  EXPECT_EQ(read->by, 2 * 4 + 1U);
  EXPECT_TRUE(has(remarkOf(*kernel, story, *read), "P[0][1] does not depend on it"));
}

TEST(ElementStory, SeesSlotsThatNothingHadWritten) {
  const auto kernel = shown("bug_three_neighbours");
  ASSERT_TRUE(kernel);
  const auto cells = outputCellsOf(*kernel);
  ASSERT_TRUE(cells);
  // Block (1, 0) of 8 threads computes the elements 8 to 15.
  EXPECT_EQ(cells->cells[0].state, OutputCell::State::elsewhere);
  EXPECT_EQ(cells->cells[9].state, OutputCell::State::right);
  ASSERT_EQ(cells->cells[8].state, OutputCell::State::wrong);
  const ElementStory story = storyOf(*kernel, cells->expected, 8);
  std::vector<float> in(20);
  SeededValues(kernel->result->plan.operands[0], 0, kernel->seed).read(0, 20, in.data());
  EXPECT_EQ(story.expected, in[7] + in[8] + in[9]);
  ASSERT_TRUE(readOf(story, "tile[0]"));
  EXPECT_TRUE(readOf(story, "tile[0]")->unwritten);
  EXPECT_FALSE(readOf(story, "tile[1]")->unwritten);
}

TEST(ElementStory, FindsRacesOfTheSameEpoch) {
  const auto kernel = shown("bug_quick_tiles");
  ASSERT_TRUE(kernel);
  const auto cells = outputCellsOf(*kernel);
  const ElementStory story = storyOf(*kernel, cells->expected, 0);
  const StoryRead* read = readOf(story, "Mds[0][1]");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->racesWith, 1U);
  EXPECT_TRUE(
      has(remarkOf(*kernel, story, *read), "thread (1, 0) writes it with no barrier in between"));
}

/// A worker sends neither the reference's needs nor the expressions of front matter.
TEST(ElementStory, NeedsOnlyWhatAWorkerSends) {
  const auto whole = shown("bug_three_neighbours");
  ASSERT_TRUE(whole);
  TracedKernel kernel = *whole;
  auto sent = std::make_shared<lab::RunResult>(*kernel.result);
  for (compile::ResolvedOperand& operand : sent->plan.operands) operand.spec.expect.clear();
  sent->plan.elementsPerBlock = 0;
  sent->plan.bindings.clear();
  kernel.result = sent;
  ASSERT_TRUE(outputCellsOf(kernel));
  EXPECT_EQ(outputCellsOf(kernel)->wrong(), 2U);
}

TEST(ElementStory, AnElementThatTheBlockDoesNotStoreHasNoReads) {
  const auto kernel = shown("bug_three_neighbours");
  ASSERT_TRUE(kernel);
  const auto cells = outputCellsOf(*kernel);
  const ElementStory story = storyOf(*kernel, cells->expected, 0);
  EXPECT_TRUE(story.stores.empty());
  EXPECT_TRUE(story.reads.empty());
  EXPECT_EQ(storyText(*kernel, story), "out[0] should be " + valueText(story.expected) +
                                           ". No thread of this block stores it.");
}

}  // namespace tilestep::features::element_story_test
