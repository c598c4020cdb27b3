// SPDX-License-Identifier: Apache-2.0
#include "features/course/learn_list.h"

#include <gtest/gtest.h>

namespace tilestep::features::learn_list_test {

using Kind = CourseLink::Kind;

/// Two weeks, and one lesson, lab and exercise that no week links to.
class LearnList : public testing::Test {
 protected:
  LearnList() {
    course = parseCourse(
                 "# Plan\n\n## Weeks\n\n### 1. Why?\n\nOpen [Why](../assets/lessons/1-why.md).\n\n"
                 "- **Takes:** 9 minutes. **Builds on:** the prerequisites alone.\n\n"
                 "### 2. Branches\n\nThe lab [Branches](../assets/labs/branches.toml), then\n"
                 "[k](../kernels/k.cu), [Why](../assets/lessons/1-why.md) and\n"
                 "[the guard](../assets/exercises/bug_guard.cu).\n\n"
                 "### 3. Banks\n\nStep [transpose](../kernels/transpose.cu).\n\n"
                 "## Sessions\n\n### 50 minutes\n\n[Why](../assets/lessons/1-why.md)\n",
                 "course.md")
                 .value();
    lessons.lessons = {{"/home/lessons/1-why.md", "Why", 3, 9, 1, false},
                       {"/home/lessons/2-branches.md", "Branches", 2, 6, std::nullopt, true},
                       {"/home/lessons/3-more.md", "More", 2, 6, std::nullopt, false}};
    auto all = std::make_shared<std::vector<Lab>>(1);
    all->front().id = "branches";
    all->front().title = "Branches";
    all->front().question = "What does an `if` cost?";
    all->front().lesson = "2-branches";
    all->front().minutes = 15;
    labs.labs = all;
    auto bugs = std::make_shared<std::vector<Exercise>>(2);
    bugs->front().id = "bug_guard";
    bugs->front().title = "A guard";
    bugs->back().id = "bug_other";
    exercises.exercises = bugs;
    exercises.states = {ExerciseState::passed, ExerciseState::begun};
  }
  Course course;
  LessonsView lessons;
  LabsView labs;
  ExercisesView exercises;
};

TEST_F(LearnList, ListsEachEntryOnceInThePlansOrder) {
  const auto groups = learnListOf(&course, lessons, labs, exercises);
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].title, "1. Why?");
  EXPECT_EQ(groups[0].buildsOn, "the prerequisites alone");
  ASSERT_EQ(groups[0].entries.size(), 1U);
  const LearnEntry& why = groups[0].entries[0];
  EXPECT_EQ(why.number, "1.1");
  EXPECT_EQ(why.minutes, "9 min");
  EXPECT_EQ(why.progress, "step 2 of 3");
  EXPECT_FALSE(why.done);
  ASSERT_EQ(groups[1].entries.size(), 2U);
  EXPECT_EQ(groups[1].entries[0].kind, Kind::lab);
  EXPECT_TRUE(groups[1].entries[0].done) << "because its lesson is done";
  EXPECT_EQ(groups[1].entries[1].number, "2.2");
  EXPECT_TRUE(groups[1].entries[1].done);
  ASSERT_EQ(groups[2].entries.size(), 1U) << "a week with only kernels";
  EXPECT_EQ(groups[2].entries[0].number, "3.1");
}

TEST_F(LearnList, UnlistedLessonsComeLastExceptALabsLesson) {
  const auto groups = learnListOf(&course, lessons, labs, exercises);
  EXPECT_EQ(groups[3].title, "More");
  ASSERT_EQ(groups[3].entries.size(), 2U);
  EXPECT_EQ(groups[3].entries[0].name, "3-more");
  EXPECT_EQ(groups[3].entries[0].number, "");
  EXPECT_EQ(groups[3].entries[1].name, "bug_other");
  EXPECT_EQ(groups[3].entries[1].progress, "begun");
}

TEST_F(LearnList, WithoutAPlanThereIsOneGroup) {
  const auto groups = learnListOf(nullptr, lessons, labs, exercises);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].entries.size(), 5U);
}

}  // namespace tilestep::features::learn_list_test
