// SPDX-License-Identifier: Apache-2.0
#include "features/course/course.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/files.h"
#include "model/files/lab_file.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::features::course_test {

using Kind = CourseBlock::Kind;

TEST(Course, ParsesBlocks) {
  const Result<Course> course = parseCourse(
      "# Plan\n\nFirst line\nand second.\n\n## Weeks\n\n### 1. Why?\n\n"
      "Do [the lab](../assets/labs/branches.toml) with\n[k](../kernels/k.cu).\n- One\n  more.\n- "
      "Two.\n",
      "course.md");
  ASSERT_TRUE(course) << toString(course.error());
  EXPECT_EQ(course->title, "Plan");
  const std::vector<CourseBlock> expected{
      {Kind::paragraph, "First line and second.", {}},
      {Kind::section, "Weeks", {}},
      {Kind::part, "1. Why?", {}},
      {Kind::paragraph,
       "Do the lab with k.",
       {{CourseLink::Kind::lab, "the lab", "branches"}, {CourseLink::Kind::kernel, "k", "k"}}},
      {Kind::note, "One more.", {}},
      {Kind::note, "Two.", {}}};
  EXPECT_EQ(course->blocks, expected);
}

std::string errorOf(const std::string& text) {
  const Result<Course> course = parseCourse(text, "course.md");
  if (course) return "read without an error";
  return std::to_string(course.error().where->line) + ": " + course.error().message;
}

TEST(Course, BlankLineEndsAParagraph) {
  const Result<Course> course = parseCourse("# Plan\n\nOne\n   \nTwo\n \t\n", "course.md");
  ASSERT_TRUE(course) << toString(course.error());
  ASSERT_EQ(course->blocks.size(), 2U);
  EXPECT_EQ(course->blocks[1].text, "Two");
}

TEST(Course, ErrorsReportCauseAndLine) {
  EXPECT_EQ(errorOf(""), "0: the plan has no title: # The course");
  EXPECT_EQ(errorOf("# A\n\n# B\n"), "3: the plan must have one title, which must come first");
  EXPECT_EQ(errorOf("## A\nB\n"), "2: a heading must be followed by an empty line");
  EXPECT_EQ(errorOf("# A\n\nSee [there\n"), "3: a link must be written as [words](file)");
  EXPECT_EQ(errorOf("# A\n\nSee\n[there](../../etc/passwd)\n"),
            "3: a link must lead to ../assets/lessons/NAME.md, ../assets/labs/NAME.toml, "
            "../assets/exercises/NAME.cu or ../kernels/NAME.cu, not to ../../etc/passwd");
}

/// The shipped plan.
class ShippedCourse : public testing::Test {
 protected:
  void SetUp() override {
    const std::string file = home + "/docs/course.md";
    const auto text = readTextFile(file, 1 << 20);
    ASSERT_TRUE(text);
    Course read = valueOrThrow(parseCourse(*text, file));
    course = std::move(read);
  }
  std::set<std::string> namesOf(CourseLink::Kind kind) const {
    std::set<std::string> names;
    for (const CourseBlock& block : course.blocks)
      for (const CourseLink& link : block.links)
        if (link.kind == kind) names.insert(link.name);
    return names;
  }
  const std::string home = support::sourceRoot();
  Course course;
};

TEST_F(ShippedCourse, EachLinkLeadsToAnExistingFile) {
  namespace fs = std::filesystem;
  for (const std::string& name : namesOf(CourseLink::Kind::lesson))
    EXPECT_TRUE(fs::exists(home + "/assets/lessons/" + name + ".md")) << name;
  for (const std::string& name : namesOf(CourseLink::Kind::lab))
    EXPECT_TRUE(fs::exists(home + "/assets/labs/" + name + ".toml")) << name;
  for (const std::string& name : namesOf(CourseLink::Kind::exercise))
    EXPECT_TRUE(fs::exists(home + "/assets/exercises/" + name + ".cu")) << name;
  for (const std::string& name : namesOf(CourseLink::Kind::kernel))
    EXPECT_TRUE(fs::exists(home + "/kernels/" + name + ".cu")) << name;
}

TEST_F(ShippedCourse, HasTwelveWeeksThreeSingleSessionsAndEveryLab) {
  std::vector<size_t> parts;  // Number of parts per section.
  for (const CourseBlock& block : course.blocks) {
    if (block.kind == Kind::section) parts.push_back(0);
    if (block.kind == Kind::part) ++parts.back();
  }
  ASSERT_GE(parts.size(), 2U);
  EXPECT_EQ(parts[0], 12U);
  EXPECT_EQ(parts[1], 3U);
  const std::set<std::string> named = namesOf(CourseLink::Kind::lab);
  for (const Lab& lab : readLabs(home, compile::readCatalogue(home + "/kernels")))
    EXPECT_TRUE(named.contains(lab.id)) << lab.title << " is in no week";
}

TEST_F(ShippedCourse, EachWeekListsMistakesAndQuestions) {
  size_t weeks = 0, wrong = 0, ask = 0;
  for (const CourseBlock& block : course.blocks) {
    if (block.kind == Kind::section) ++weeks;
    if (weeks != 1 || block.kind != Kind::note) continue;
    wrong += block.text.starts_with("**They get wrong:**") ? 1 : 0;
    ask += block.text.starts_with("**Ask:**") ? 1 : 0;
  }
  EXPECT_EQ(wrong, 12U);
  EXPECT_EQ(ask, 12U);
}

}  // namespace tilestep::features::course_test
