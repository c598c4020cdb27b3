// SPDX-License-Identifier: Apache-2.0
// Damaged plans of the course: each is refused with its line, or all of its links lead to files of
// the three folders.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "features/course/course.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/text_mutator.h"
#include "support/source_root.h"

namespace tilestep::model {
namespace course_fuzz_test {

std::string plan() {
  return readTextFile(support::sourceRoot() + "/docs/course.md").value();
}

std::vector<std::string_view> words() {
  return {"# ",
          "## ",
          "### ",
          "#### ",
          "- ",
          "[",
          "]",
          "](",
          "(",
          ")",
          "[a](../kernels/b.cu)",
          "[](../assets/lessons/.md)",
          "[a](../kernels/../../c.cu)",
          "[a](https://example.com)",
          "[[a](../assets/labs/b.toml)](c)",
          "../assets/lessons/",
          "**",
          "`",
          "\n",
          "\n\n",
          "\r\n",
          "\t",
          "\xff",
          std::string_view("\0", 1)};
}

/// What is wrong with an answer to a text; empty: nothing.
std::string problemOf(const Result<Course>& read, const std::string& text) {
  if (!read) {
    const Error& error = read.error();
    const auto lines = 1 + std::ranges::count(text, '\n');
    if (error.message.empty()) return "an error without a reason";
    if (!error.where) return "an error without a place";
    if (error.where->line < (text.empty() ? 0 : 1) || error.where->line > lines)
      return "an error at line " + std::to_string(error.where->line) + " of " +
             std::to_string(lines);
    return "";
  }
  if (read->title.empty()) return "no title";
  size_t length = read->title.size();
  for (const CourseBlock& block : read->blocks) {
    length += block.text.size();
    for (const CourseLink& link : block.links) {
      if (link.name.empty() || link.name.find('/') != std::string::npos)
        return "a link to no file of a folder: " + link.name;
      if (block.text.find(link.text) == std::string::npos)
        return "a link whose words are not in the text: " + link.text;
    }
  }
  return length > text.size() ? "more text than there was" : "";
}

TEST(CourseFuzz, ThePlanHolds) {
  const std::string text = plan();
  EXPECT_LE(text.size(), 16384U) << "else the mutator cuts it";
  const Result<Course> read = parseCourse(text, "course.md");
  ASSERT_TRUE(read) << toString(read.error());
  EXPECT_EQ(problemOf(read, text), "");
}

TEST(CourseFuzz, EveryMutationIsRefusedWithItsLineOrLeadsToFiles) {
  fuzz::TextMutator mutator({plan()}, 12, words());
  constexpr int kTrials = 6000;
  int accepted = 0;
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::string text = mutator.next();
    const Result<Course> read = parseCourse(text, "course.md");
    accepted += read ? 1 : 0;
    ASSERT_EQ(problemOf(read, text), "") << "trial " << trial << ":\n" << text;
  }
  EXPECT_GT(accepted, kTrials / 20) << "else this tests nothing but refusals";
  EXPECT_LT(accepted, kTrials) << "else nothing is checked";
  EXPECT_LT(fuzz::largestAllocation(), size_t{1} << 20);
}

}  // namespace course_fuzz_test
}  // namespace tilestep::model
