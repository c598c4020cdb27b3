// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/hidden_texts.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace tilestep::features::hidden_texts_test {

/// A lesson whose question, at line 7, hides something.
Result<Lesson> lessonWith(const std::string& hide) {
  return parseLesson(
      "# Guards\n"
      "## One\n"
      "```toml\nkernel = \"matmul_tiled\"\n"
      "[ask]\nquestion = \"Which?\"\n" +
          hide + "\nanswer = 1\n```\nThink.\n",
      "l.md");
}

TEST(HiddenTexts, AreReadWithTheirLine) {
  const auto lesson = lessonWith("hide = [\"a < b\", \"c\"]");
  ASSERT_TRUE(lesson) << toString(lesson.error());
  const Ask& ask = *lesson->steps[0].ask;
  EXPECT_EQ(ask.hide, (std::vector<std::string>{"a < b", "c"}));
  EXPECT_EQ(ask.hideLine, 7);
  for (const char* wrong : {"hide = [\"\"]", "hide = [\"a\\nb\"]", "hide = [1]"}) {
    const auto refused = lessonWith(wrong);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().where->line, 7);
  }
}

TEST(HiddenTexts, AreRejectedIfTheKernelDoesNotContainThem) {
  const auto check = [](const std::string& hidden) {
    return checkHiddenTexts(*lessonWith("hide = [\"" + hidden + "\"]"), "l.md",
                            [](const std::string& /*kernel*/) {
                              compile::KernelSource source;
                              source.text = "if (a < b) c();";
                              return Result<compile::KernelSource>(source);
                            });
  };
  EXPECT_TRUE(check("a < b"));
  const Status refused = check("a <= b");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().where->line, 7);
  EXPECT_TRUE(has(refused.error().message, "matmul_tiled does not contain it"));
}

TEST(HiddenTexts, AreIgnoredForAMissingKernel) {
  EXPECT_TRUE(checkHiddenTexts(*lessonWith("hide = [\"a\"]"), "l.md", [](const std::string&) {
    return Result<compile::KernelSource>(requestError("not there"));
  }));
}

}  // namespace tilestep::features::hidden_texts_test
