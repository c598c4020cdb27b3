// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/line_breaks.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "support/source_root.h"
#include "ui/kit/rich_text.h"

namespace tilestep::ui::line_breaks_test {

using Lines = std::vector<std::string_view>;

/// Breaks lines with every byte having width 1.
std::vector<std::string_view> lines(std::string_view text, float width) {
  return linesOf(text, width, [](std::string_view piece) { return float(piece.size()); });
}

TEST(LineBreaks, AreOnlyAtSpacesAndNeverWithinANumber) {
  EXPECT_EQ(lines("asks for 4,096 loads", 11), (Lines{"asks for", "4,096 loads"}));
  EXPECT_EQ(lines("lies at 0.0635 of it", 11), (Lines{"lies at", "0.0635 of", "it"}));
  for (float width = 6; width < 40; ++width)
    for (const std::string_view line : lines("1,024 threads; 4,096 loads, 0.0635 of 12.5", width)) {
      EXPECT_NE(line.substr(0, 1), " ") << width;
      EXPECT_FALSE(line.ends_with("4,") || line.ends_with("1,") || line.ends_with("0.")) << width;
      EXPECT_LE(line.size(), static_cast<size_t>(width)) << line;
    }
}

TEST(LineBreaks, AFittingTextHasNoBreaks) {
  EXPECT_EQ(lines("", 5), (Lines{""}));
  EXPECT_EQ(lines("a b", 3), (Lines{"a b"}));
  EXPECT_EQ(lines("a b ", 3), (Lines{"a b "}));
  EXPECT_EQ(lines("a b", 2.5F), (Lines{"a", "b"}));
}

TEST(LineBreaks, ExistingBreaksRemain) {
  EXPECT_EQ(lines("a\n\n  b c", 4), (Lines{"a", "", "  b", "c"}));
  EXPECT_EQ(lines("\na\n", 4), (Lines{"", "a", ""}));
}

TEST(LineBreaks, ReplaceTheirSpaces) {
  EXPECT_EQ(lines("ab   cd", 4), (Lines{"ab", "cd"}));
}

TEST(LineBreaks, SplitAWordThatIsWiderThanALine) {
  EXPECT_EQ(lines("to abcdefgh i", 3), (Lines{"to", "abc", "def", "gh", "i"}));
  EXPECT_EQ(lines("ab", 0), (Lines{"a", "b"}));
  // "×" is two bytes.
  EXPECT_EQ(lines("××", 3), (Lines{"×", "×"}));
}

/// Otherwise ImGui's wrapping would break within numbers.
TEST(LineBreaks, TheWholeWindowUsesTheSameFunctions) {
  size_t files = 0;
  const std::string sources = support::sourceRoot() + "/src";
  for (const auto& file : std::filesystem::recursive_directory_iterator(sources)) {
    if (!file.is_regular_file()) continue;
    const Result<std::string> text = readTextFile(file.path(), size_t{1} << 20);
    ASSERT_TRUE(text) << file.path();
    ++files;
    for (const char* own : {"PushTextWrapPos", "TextWrapped", "CalcWordWrapPosition"})
      EXPECT_EQ(text->find(own), std::string::npos) << own << " in " << file.path();
  }
  EXPECT_GT(files, 50U);
}

TEST(RichWords, KeepAWordOfSeveralStylesTogether) {
  using model::TextRun;
  const TextRun code{TextRun::Look::code, "m"}, comma{TextRun::Look::plain, ", "};
  const TextRun of{TextRun::Look::plain, "of "};
  const std::vector<RichWord> words{
      {of}, {code, comma}, {{TextRun::Look::strong, "so "}}, {{TextRun::Look::strong, "wide"}}};
  EXPECT_EQ(richWords("of `m`, **so wide**"), words);
  EXPECT_TRUE(richWords("").empty());
}

}  // namespace tilestep::ui::line_breaks_test
