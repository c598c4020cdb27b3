// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "features/lessons/lesson_player.h"
#include "support/results.h"

namespace tilestep::features::lesson_test {

constexpr const char* kText =
    "# Tiles\n"
    "\n"
    "## What is read?\n"
    "```toml\n"
    "kernel = \"matmul_tiled\"\n"
    "tunables = { TILE_WIDTH = 2 }\n"
    "size = 4\n"
    "grain = \"phase\"\n"
    "step = 2\n"
    "[ask]\n"
    "question = \"How many?\"\n"
    "answer = 8\n"
    "hint = \"Count.\"\n"
    "open = [\"stage\"]\n"
    "[[ask.wrong]]\n"
    "answer = \"2 * 8\"\n"
    "because = \"{2 * 8} counts twice.\"\n"
    "```\n"
    "One line\n"
    "and the next.\n"
    "\n"
    "A second paragraph.\n"
    "\n"
    "---\n"
    "Eight.\n"
    "## Then\n"
    "```toml\n"
    "block = [1, 0]\n"
    "panel = \"warp\"\n"
    "```\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::vector<std::string> plain(const std::vector<LessonText>& texts) {
  std::vector<std::string> all;
  for (const LessonText& text : texts) all.push_back(fill(text, {}, {}).text);
  return all;
}

TEST(Lesson, StepKeepsStageDeviceAndSizesOfThePreviousStep) {
  const Lesson lesson =
      parseLesson(
          "# A\n## one\n## two\n```toml\nstage = \"timeline\"\n"
          "device = \"measured\"\nmeasured = 1024\nroof = \"own\"\n```\n## three\n",
          "a.md")
          .value();
  EXPECT_EQ(lesson.steps[0].stage, "scene");
  EXPECT_EQ(lesson.steps[0].scene.device, "");
  EXPECT_EQ(lesson.steps[0].scene.measured, 0);
  for (const size_t later : {1, 2}) {
    EXPECT_EQ(lesson.steps[later].stage, "timeline");
    EXPECT_EQ(lesson.steps[later].scene.device, SceneRequest::kMeasured);
    EXPECT_EQ(lesson.steps[later].scene.measured, 1024);
    EXPECT_EQ(lesson.steps[later].scene.roof, SceneRequest::kOwnRoof);
  }
}

TEST(Lesson, StepChoosesAPlotOfSweeps) {
  const Lesson lesson =
      parseLesson(
          "# A\n## one\n## two\n```toml\nstage = \"sweeps\"\nsweep = \"ladder\"\n```\n## three\n"
          "## four\n```toml\nstage = \"scene\"\n```\n## five\n```toml\nstage = \"sweeps\"\n```\n",
          "a.md")
          .value();
  ASSERT_EQ(lesson.steps.size(), 5U);
  EXPECT_FALSE(lesson.steps[0].sweep);
  EXPECT_EQ(lesson.steps[1].sweep, SweepKind::ladder);
  EXPECT_EQ(lesson.steps[2].sweep, SweepKind::ladder);
  EXPECT_TRUE(lesson.steps[1].scene.othersByDefault && lesson.steps[2].scene.othersByDefault);
  EXPECT_FALSE(lesson.steps[3].sweep || lesson.steps[3].scene.othersByDefault);
  EXPECT_FALSE(lesson.steps[4].sweep) << "unchanged, not restored";
}

TEST(Lesson, ProgramStaysWhileItsStageStays) {
  const auto lesson = valueOrThrow(parseLesson(
      "# A\n## one\n## two\n```toml\nstage = \"program\"\nprogram = \"dot_2\"\n```\n## three\n"
      "## four\n```toml\nstage = \"scene\"\n```\n## five\n```toml\nstage = \"program\"\n```\n",
      "a.md"));
  std::vector<std::string> programs;
  for (const LessonStep& step : lesson.steps) programs.push_back(step.program);
  EXPECT_EQ(programs, (std::vector<std::string>{"", "dot_2", "dot_2", "", ""}));
}

TEST(Lesson, StepsHaveScenesAndQuestions) {
  const Lesson lesson = parseLesson(kText, "tiles.md").value();
  EXPECT_EQ(lesson.title, "Tiles");
  ASSERT_EQ(lesson.steps.size(), 2U);
  const LessonStep& first = lesson.steps[0];
  EXPECT_EQ(first.slug, "what-is-read");
  EXPECT_EQ(first.scene.kernel, "matmul_tiled");
  EXPECT_EQ(first.scene.tunables, (compile::Bindings{{"TILE_WIDTH", 2}}));
  EXPECT_EQ(first.scene.sizes, (compile::Bindings{{"m", 4}, {"n", 4}, {"k", 4}}));
  EXPECT_EQ(first.scene.grain, trace::StepGranularity::phase);
  EXPECT_EQ(first.scene.step, 1U);
  ASSERT_TRUE(first.ask);
  EXPECT_EQ(first.ask->answer.expression, "8");
  ASSERT_TRUE(first.ask->hint);
  EXPECT_EQ(fill(*first.ask->hint, {}, {}).text, "Count.");
  EXPECT_EQ(first.ask->open, std::vector<Covered>{Covered::stage});
  ASSERT_EQ(first.ask->wrong.size(), 1U);
  EXPECT_EQ(first.ask->wrong.front().answer.expression, "2 * 8");
  EXPECT_EQ(fill(first.ask->wrong.front().because, {}, {}).text, "16 counts twice.");
  EXPECT_EQ(plain(first.text),
            (std::vector<std::string>{"One line and the next.", "A second paragraph."}));
  EXPECT_EQ(plain(first.answer), std::vector<std::string>{"Eight."});
  // The second step keeps the other settings.
  EXPECT_EQ(lesson.steps[1].scene.kernel, "matmul_tiled");
  EXPECT_EQ(lesson.steps[1].scene.tunables, first.scene.tunables);
  EXPECT_EQ(lesson.steps[1].scene.block, (Dim3{1, 0, 0}));
  EXPECT_FALSE(lesson.steps[1].ask);
}

TEST(Lesson, DamagedLessonIsRejectedWithItsLine) {
  const std::string block = "```toml\n```\n", last = "panel = \"warp\"";
  const struct {
    std::string from, to;
    int line;
    const char* says;
  } kCases[] = {
      {"# Tiles\n", "\n", 1, "must begin with its title"},
      {"kernel =", "kernal =", 5, "the nearest is kernel"},
      {"\"matmul_tiled\"", "3", 5, "a string in quotes"},
      {"{ TILE_WIDTH = 2 }", "2", 6, "must be a table"},
      {"size = 4", "size = ", 7, ""},
      {"\"phase\"", "\"line\"", 8, "grain must be"},
      {"question = \"How many?\"\n", "", 10, "must have a text"},
      {"answer = 8", "choices = [\"a\"]\nanswer = 2", 13, "a choice"},
      {"answer = 8", "choices = [\"a\", \"b\"]\nanswer = 1.5", 13, "a whole number"},
      {"[1, 0]", "[1]", 28, "[x, y]"},
      {"## Then", "---", 26, "already has an answer"},
      {"[\"stage\"]", "[\"moon\"]", 14, "\"sentence\", \"labels\""},
      {"hint =", "hunt =", 13, "the nearest is hint"},
      {"\"2 * 8\"", "8", 16, "the right answer"},
      {"\"2 * 8\"", "\"2 *\"", 16, "cannot be evaluated"},
      {"\"2 * 8\"", "true", 16, "a number, or an expression"},
      {"because = \"{2 * 8} counts twice.\"\n", "", 15, "must have an explanation"},
      {"{2 * 8} counts", "{2 *} counts", 17, "cannot be evaluated"},
      {"\"2 * 8\"", "9\nbecause = \"x\"\n[[ask.wrong]]\nanswer = 9", 19, "duplicate wrong answer"},
      {"## What is read?\n", "", 3, "must be in a step"},
      {last + "\n```\n", last + "\n", 27, ""},  // The block is never closed.
      {"```\nOne line", "```\n" + block + block + "One line", 21, "at most two blocks"},
      {"One line", "```toml\nsize = \n```\n", 20, ""},
      {"One line", "```toml\nsiez = 8\n```\n", 20, "the nearest is size"},
      {last, "panel = \"bank\"", 29, "panel must be"},
      {last, "stage = \"moon\"", 29, ""},
      {last, "device = \"cuda:0\"", 29, ""},
      {last, "measured = 0", 29, ""},
      {last, "beside = \"\"", 29, ""},
      {last, "level = \"l3\"", 29, "level must be"},
      {last, "sweep = \"ladder\"", 29, "stage = \"sweeps\""},
      {last, "stage = \"sweeps\"\nsweep = \"stairs\"", 30, ""},
      {last, "stage = \"sweeps\"\nsweep = 3", 30, ""},
      {last, "program = \"dot\"", 29, "program needs stage"},
      {last, "stage = \"program\"\nprogram = \"../kernels/a\"", 30, "in assets/programs"},
      {last, "stage = \"program\"\nprogram = \"dot.cu\"", 30, "without \".cu\""},
      {last, "stage = \"program\"\nprogram = \"\"", 30, "the name of a file"}};
  for (const auto& one : kCases) {
    const auto lesson = parseLesson(replaced(kText, one.from, one.to), "tiles.md");
    ASSERT_FALSE(lesson) << one.to;
    ASSERT_TRUE(lesson.error().where) << one.to;
    EXPECT_EQ(lesson.error().where->line, one.line) << one.to << toString(lesson.error());
    EXPECT_TRUE(has(lesson.error().message, one.says));
  }
}

TEST(Lesson, StepChoosesTheComparedKernel) {
  const auto lesson = valueOrThrow(
      parseLesson("# A\n## B\n```toml\nkernel = \"transpose\"\nbeside = \"transpose\"\n"
                  "beside_tunables = { VARIANT = 2 }\nbeside_block = [1, 2]\n```\n"
                  "## C\n## D\n```toml\nbeside = \"none\"\n```\n## E\n```toml\nkernel = "
                  "\"matmul_tiled\"\n```\n",
                  "a.md"));
  for (const size_t step : {0U, 1U}) {  // The second step inherits it.
    const SceneRequest& scene = lesson.steps[step].scene;
    EXPECT_EQ(scene.comparison, "transpose");
    EXPECT_EQ(scene.comparisonTunables.at("VARIANT"), 2);
    EXPECT_EQ(scene.comparisonBlock, (Dim3{1, 2, 0}));
  }
  EXPECT_EQ(lesson.steps[2].scene.comparison, Comparison::kNone);
  EXPECT_TRUE(lesson.steps[2].scene.comparisonTunables.empty());
  EXPECT_EQ(lesson.steps[3].scene.comparison, Comparison::kUsual);
}

TEST(Lesson, StepShowsOnlyOccupancyAndHighlightsARooflineLevel) {
  const auto second = [](const std::string& lines) {
    return parseLesson(replaced(kText, "panel = \"warp\"\n", lines), "l.md").value().steps[1];
  };
  EXPECT_TRUE(second("occupancy = true\n").occupancy);
  const LessonStep plain = second("");
  EXPECT_FALSE(plain.occupancy);
  EXPECT_EQ(plain.level, RoofFocus::nearest);
  EXPECT_EQ(second("level = \"lanes\"\n").level, RoofFocus::lanes);
  EXPECT_TRUE(second("level = \"all\"\n").allLevels);
}

TEST(Lesson, ErrorInAQuotedStringHasItsColumn) {
  const auto placeOf = [](const std::string& ask) {
    const auto lesson = parseLesson("# A\n## B\n```toml\n[ask]\n" + ask + "\n```\n", "a.md");
    if (lesson || !lesson.error().where) return std::string("read");
    return std::to_string(lesson.error().where->line) + ":" +
           std::to_string(lesson.error().where->column);
  };
  EXPECT_EQ(placeOf("question = \"x {y\"\nanswer = 1"), "5:15");
  EXPECT_EQ(placeOf("question = \"\"\"x {y\"\"\"\nanswer = 1"), "5:17");
  EXPECT_EQ(placeOf("question = '''\nx\ny }'''\nanswer = 1"), "7:3");
  EXPECT_EQ(placeOf("question = \"\\u00e4 {y\"\nanswer = 1"), "5:20");
  EXPECT_EQ(placeOf("question = \"x\"\nanswer = \"1 +\""), "6:11");
}

TEST(Lesson, FiguresAreLimited) {
  const auto withFigures = [](size_t count) {
    std::string text = "# A\n## B\nFirst line.\n";
    for (size_t i = 0; i < count; ++i) text += "{1}\n";
    return parseLesson(text, "a.md");
  };
  EXPECT_TRUE(withFigures(kMostLessonFigures));
  const auto lesson = withFigures(kMostLessonFigures + 1);
  ASSERT_FALSE(lesson);
  ASSERT_TRUE(lesson.error().where);
  EXPECT_EQ(lesson.error().where->line, 3) << "the paragraph's first line";
  EXPECT_TRUE(has(lesson.error().message, "at most 1000 figures"));
}

RightAnswer known(double value, const std::string& text) {
  return {std::optional<double>(value), text};
}

FilledStep filled(const RightAnswer& right) {
  FilledStep step;
  step.right = right;
  return step;
}

class LessonPlayerTest : public testing::Test {
 protected:
  void SetUp() override {
    player.open(std::make_shared<const Lesson>(parseLesson(kText, "tiles.md").value()));
  }
  const FilledStep eight = filled(known(8, "8"));
  LessonPlayer player;
};

TEST_F(LessonPlayerTest, OpenQuestionHidesTheRest) {
  EXPECT_FALSE(player.view().revealed);
  player.answer(7, eight);
  EXPECT_FALSE(player.view().revealed);
  EXPECT_EQ(player.view().verdict, "Not quite. 7 is too small, by less than a third.");
  player.answer(8, eight);
  EXPECT_TRUE(player.view().revealed && player.view().right);
  EXPECT_TRUE(player.goTo(1));
  EXPECT_TRUE(player.view().revealed);
  EXPECT_FALSE(player.goTo(2));
}

TEST_F(LessonPlayerTest, SecondWrongAnswerHintsAndThirdReveals) {
  player.answer(4, eight);
  EXPECT_FALSE(player.view().hinted);
  for (int i = 0; i < 3; ++i) player.answer(4, eight);
  EXPECT_FALSE(player.view().hinted) << "repeating an answer is not another attempt";
  player.answer(5, eight);
  EXPECT_TRUE(player.view().hinted);
  EXPECT_FALSE(player.view().revealed);
  player.answer(4, eight);
  EXPECT_TRUE(player.view().revealed);
  EXPECT_EQ(player.view().verdict,
            "Not quite. 4 is too small: about half of the answer. Answer: 8");
}

TEST_F(LessonPlayerTest, AnsweredQuestionStaysAnswered) {
  player.answer(8, eight);
  player.goTo(1);
  player.goTo(0);
  EXPECT_TRUE(player.view().revealed && player.view().right);
  EXPECT_EQ(player.view().verdict, "Right.");
  player.open(player.view().lesson, {{0, false}});
  EXPECT_TRUE(player.view().revealed);
  EXPECT_FALSE(player.view().right);
  player.learn(eight.right);
  EXPECT_EQ(player.view().verdict, "Answer: 8");
  player.open(player.view().lesson);
  EXPECT_FALSE(player.view().revealed);
}

TEST_F(LessonPlayerTest, OpenQuestionCoversAllButTheListedParts) {
  for (size_t i = 0; i < kCoverable; ++i)
    EXPECT_EQ(player.view().covers(static_cast<Covered>(i)),
              static_cast<Covered>(i) != Covered::stage);
  player.answer(8, eight);
  for (size_t i = 0; i < kCoverable; ++i)
    EXPECT_FALSE(player.view().covers(static_cast<Covered>(i)));
}

TEST_F(LessonPlayerTest, AnswersAreNotJudgedWhileTheRightOneIsUnknown) {
  for (int i = 0; i < 5; ++i) player.answer(7, filled({}));
  EXPECT_FALSE(player.view().revealed);
  EXPECT_EQ(player.view().verdict, "The answer is still being computed. Try again in a moment.");
  player.answer(7, eight);
  EXPECT_FALSE(player.view().hinted) << "the first judged answer";
}

TEST_F(LessonPlayerTest, AnswerRevealedTooEarlyAppearsOnceKnown) {
  player.reveal({});
  EXPECT_TRUE(player.view().revealed);
  EXPECT_EQ(player.view().verdict, "The answer is being computed …");
  player.learn({});
  player.learn(eight.right);
  EXPECT_EQ(player.view().verdict, "Answer: 8");
  player.learn(known(9, "9"));
  EXPECT_EQ(player.view().verdict, "Answer: 8") << "the answer was revealed";
}

TEST_F(LessonPlayerTest, UnknowableAnswerHasAReason) {
  player.answer(8, filled({workError("the run has no clocks"), ""}));
  EXPECT_TRUE(player.view().revealed);
  EXPECT_FALSE(player.view().right);
  EXPECT_EQ(player.view().verdict, "The answer cannot be computed: the run has no clocks.");
}

/// An error in a figure reports the figure's line and column.
TEST(Lesson, ImpossibleFigureIsRejectedAtItsLineAndColumn) {
  const std::string before =
      "# A\n```toml\n[run.tiled]\nkernel = \"matmul_tiled\"\nsize = 8\n```\n## one\n";
  const struct {
    const char* text;
    int line, column;
    const char* says;
  } cases[] = {
      {"Some {tilde.launch.block.0} text\n", 8, 7, "the nearest is tiled"},
      {"Two lines, of\n  which {1 + tiled.launch.bloc.0}\n", 9, 14, "launch.block.0"},
      {"{tiled.measurement.median_ms}\n", 8, 2, "which gives no measurement"},
      {"{tiled.launch.block.0 | 3 carrots}\n", 8, 24, "3 digits"},
      {"{tiled.launch.block.0 +}\n", 8, 2, "cannot be evaluated"},
      {"{tiled}\n", 8, 2, "which value"},
      {"a {tiled.sizes.m\n", 8, 3, "never closed"},
      {"a } b\n", 8, 3, "}}"},
      {"```toml\n[ask]\nquestion = \"How {tilde.x}?\"\nanswer = 1\n```\n", 10, 18, "tiled"},
      {"```toml\n[ask]\nquestion = \"How?\"\nanswer = \"tiled.x\"\n```\n", 11, 11, "no value x"},
  };
  for (const auto& one : cases) {
    const auto lesson = parseLesson(before + one.text, "a.md");
    ASSERT_FALSE(lesson) << one.text;
    ASSERT_TRUE(lesson.error().where) << one.text;
    EXPECT_EQ(lesson.error().where->line, one.line) << toString(lesson.error());
    EXPECT_EQ(lesson.error().where->column, one.column) << toString(lesson.error());
    EXPECT_TRUE(has(lesson.error().message, one.says)) << toString(lesson.error());
  }
}

TEST(Lesson, RunsAreLimitedAndPrecedeTheFirstStep) {
  const auto refusal = [](const std::string& runs) {
    const auto lesson = parseLesson("# A\n```toml\n" + runs + "```\n## one\n", "a.md");
    return lesson ? std::string() : lesson.error().message;
  };
  const std::string tiled = "[run.t]\nkernel = \"matmul_tiled\"\n";
  EXPECT_EQ(refusal(tiled + "size = 64\n"), "");
  EXPECT_TRUE(has(refusal(tiled + "size = 65\n"), "too large for a lesson"));
  EXPECT_EQ(refusal(tiled + "size = 4096\ndevice = \"recorded:nvidia-h200\"\n"), "");
  EXPECT_TRUE(has(refusal(tiled + "size = 9223372036854775807\n"), "a size must be from 1 to"));
  EXPECT_TRUE(has(refusal(tiled + "size = 4\ndevice = \"recorded:../x\"\n"), "assets/recordings"));
  EXPECT_TRUE(has(refusal(tiled + "size = 4\ndevice = \"cuda:0\"\n"), "assets/recordings"));
  EXPECT_TRUE(has(refusal(tiled), "must name its size"));
  EXPECT_EQ(refusal("[run.t]\ndevice = \"shown\"\n"), "");
  EXPECT_TRUE(has(refusal(tiled + "device = \"shown\"\n"), "kernel"));
  EXPECT_TRUE(fails(
      parseLesson("# A\n```toml\n[run.t]\ndevice = \"shown\"\n```\n## one\n{t.l2_byte}\n", "a.md"),
      "the nearest is l2_bytes"));
  EXPECT_TRUE(has(refusal("[run.t]\nsize = 4\n"), "must name its kernel"));
  std::string many;
  for (int i = 0; i < 65; ++i)
    many += "[run.r" + std::to_string(i) + "]\nkernel = \"matmul_tiled\"\nsize = 4\n";
  EXPECT_TRUE(has(refusal(many), "at most 64 runs"));
  EXPECT_TRUE(fails(parseLesson("# A\n## one\n```toml\n" + tiled + "size = 4\n```\n", "a.md"),
                    "no key run"));
}

}  // namespace tilestep::features::lesson_test
