// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_text.h"

#include <gtest/gtest.h>

#include <map>

namespace tilestep::features::lesson_text_test {

TEST(FigureFormat, AcceptsOnlyKnownFormats) {
  const struct {
    const char* words;
    double value;
    const char* text;
  } cases[] = {
      {"", 4096, "4,096"},
      {"", 1048576, "1,048,576"},
      {"", 0, "0"},
      {"", 1.1283, "1.13"},
      {"3 digits", 9.996, "10.0"},
      {"3 digits", 12.28, "12.3"},
      {"2 digits", 1.8447, "1.8"},
      {"1 digit", 918.3, "900"},
      {"4 digits", 12345.6, "12,350"},
      {"2 digits", 0.0017497, "0.0017"},
      {"2 digits", 0.00017497, "1.7·10⁻⁴"},
      {"2 digits", 1.9057e-07, "1.9·10⁻⁷"},
      {"0 decimals", 0.5, "0"},
      {"1 decimal", -0.001, "0.0"},
      {"1 decimal", -0.06, "-0.1"},
      {"3 digits", 1e-320, "1.00·10⁻³²⁰"},
      {"3 digits", 9.996e-5, "1.00·10⁻⁴"},
      {"1 decimal", 345.6, "345.6"},
      {"2 decimals", 1234.5, "1,234.50"},
      {"%", 0.0321, "3.21 %"},
      {"whole %", 0.6875, "69 %"},
      {"FLOP/s", 5.0876e12, "5.09 TFLOP/s"},
      {"B/s", 4.525e12, "4.53 TB/s"},
      {"B", 8.41e6, "8.41 MB"},
      {"s", 0.000422, "422 µs"},
      {"FLOP/B", 0.25, "0.25 FLOP/B"},
  };
  for (const auto& one : cases) {
    const auto format = figureFormat(one.words);
    ASSERT_TRUE(format) << one.words;
    EXPECT_EQ(written(one.value, *format), one.text) << one.words;
  }
  for (const char* wrong : {"digits", "3 digit", "1 digits", "0 digits", "10 digits", "3", "TB/s"})
    EXPECT_FALSE(figureFormat(wrong)) << wrong;
}

TEST(FigureFormat, AnswerIsWrittenInFullAndInTheSameForm) {
  EXPECT_EQ(writtenInFull(1024), "1,024");
  EXPECT_EQ(writtenInFull(0.6875), "0.6875");
  EXPECT_EQ(writtenInFull(-1234567.5), "-1,234,567.5");
  EXPECT_EQ(writtenInFull(1e20), "1e+20");
}

class LessonTexts : public testing::Test {
 protected:
  FilledText filled(const std::string& text) const {
    LessonText read;
    const auto problem = readLessonText(text, runs, read);
    EXPECT_FALSE(problem) << text << ": " << problem->message;
    return fill(read, runs, find);
  }

  const std::vector<LessonRun> runs{{"tiled", "matmul_tiled", {}, {}, ""},
                                    {"h200", "matmul_tiled", {}, {}, "nvidia-h200"}};
  std::map<std::string, lab::ResultValue> values{{"tiled.launch.block.0", 16.0},
                                                 {"h200.launch.block.0", 32.0},
                                                 {"h200.device.name", std::string("NVIDIA H200")}};
  const FindValue find =
      [this](const FigureValue& value) -> Result<std::optional<lab::ResultValue>> {
    if (value.path == "launch.shared_bytes") return workError("the run has none");
    const auto at = values.find(runs[value.run].name + "." + value.path);
    if (at == values.end()) return std::optional<lab::ResultValue>();
    return std::optional<lab::ResultValue>(at->second);
  };
};

TEST_F(LessonTexts, ContainTheirFigures) {
  EXPECT_EQ(filled("no figure").text, "no figure");
  EXPECT_EQ(filled("**{tiled.launch.block.0} threads**").text, "**16 threads**");
  EXPECT_EQ(filled("{h200.launch.block.0 / tiled.launch.block.0}{tiled.launch.block.0}").text,
            "216");
  EXPECT_EQ(filled("a {{brace}} and {1 + 1}").text, "a {brace} and 2");
  EXPECT_EQ(filled("on {h200.device.name}.").text, "on NVIDIA H200.");
  EXPECT_EQ(filled("{tiled.launch.block.0 > 8 || 0 ? 2e3 : 1 | 2 decimals}").text, "2,000.00");
  EXPECT_EQ(filled("{ceildiv(tiled.launch.block.0, 3)}").text, "6");
}

TEST_F(LessonTexts, DistinguishPendingFromMissingFigures) {
  const FilledText coming = filled("{tiled.sizes.m} of {tiled.launch.block.0}");
  EXPECT_EQ(coming.text, std::string(kComing) + " of 16");
  EXPECT_TRUE(coming.coming);
  EXPECT_EQ(coming.missing, "");
  const FilledText missing = filled("{tiled.launch.shared_bytes} B, {tiled.launch.block.0}");
  EXPECT_EQ(missing.text, std::string(kNoFigure) + " B, 16");
  EXPECT_FALSE(missing.coming);
  EXPECT_EQ(missing.missing, "the run has none");
  EXPECT_NE(filled("{1 / (tiled.launch.block.0 - 16)}").missing, "") << "a division by zero";
  EXPECT_NE(filled("{h200.device.name + 1}").missing, "") << "a string is not a number";
}

TEST_F(LessonTexts, AnyTextIsParsedOrRejected) {
  const std::string whole = "{tiled.launch.block.0 / h200.sizes.k | 3 digits} {{ }} {1e9}";
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const char* put : {"", "{", "}", "|", ".", "(", "\xc3", "1e", "^9^9^9"}) {
      LessonText read;
      const std::string text = whole.substr(0, at) + put + whole.substr(at + 1);
      if (const auto problem = readLessonText(text, runs, read)) {
        EXPECT_LE(problem->at, text.size());
        EXPECT_FALSE(problem->message.empty());
      } else {
        (void)fill(read, runs, find);
      }
    }
  }
  LessonText read;
  const std::string deep = "{" + std::string(100000, '(') + "1" + std::string(100000, ')') + "}";
  EXPECT_TRUE(readLessonText(deep, runs, read)) << "too long";
}

}  // namespace tilestep::features::lesson_text_test
