// SPDX-License-Identifier: Apache-2.0
// The field for a lesson's answer.
#include "base/files.h"
#include "features/lessons/view.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::lesson_answer_test {

constexpr const char* kLesson =
    "# A\n"
    "## one\n"
    "```toml\nkernel = \"matmul_naive\"\nsize = 4\n"
    "[ask]\nquestion = \"How many sides has a square?\"\nanswer = 4\nhint = \"Count.\"\n"
    "```\n"
    "Think.\n"
    "---\n"
    "Four.\n";

class LessonAnswer : public NullWindow {
 protected:
  void SetUp() override {
    useFonts(1600, 1000, 1);
    connect();
    const std::string file = testing::TempDir() + "/lesson_answer_test.md";
    ASSERT_TRUE(writeFileAtomically(file, kLesson));
    session->apply(model::command("lessons.open", file));
    draw();
    ui.answerWished = kAnswerFrames;  // As the key Q does.
    draw();
    ASSERT_TRUE(hasKeyboard());
  }
  [[nodiscard]] static bool hasKeyboard() { return ImGui::GetIO().WantTextInput; }
  /// Replaces the field's content by a number and presses Enter.
  void enter(const char* number) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddInputCharactersUTF8(number);
    draw();
    for (const bool down : {true, false}) {
      compat::setEnter(down);
      draw();
    }
  }
  [[nodiscard]] LessonView lesson() {
    session->poll(now += 0.1);
    return *session->snapshot()->view<LessonsView>().lesson;
  }
};

TEST_F(LessonAnswer, FieldKeepsFocusAfterAWrongAnswer) {
  enter("3");
  ASSERT_FALSE(lesson().revealed);
  ASSERT_NE(lesson().verdict, "");
  EXPECT_TRUE(hasKeyboard());
  enter("4");
  EXPECT_TRUE(lesson().right) << "the second number replaced the first";
  EXPECT_FALSE(hasKeyboard());
}

TEST_F(LessonAnswer, FieldKeepsFocusAfterTheHint) {
  enter("3");
  clickText("Hint");
  ASSERT_TRUE(lesson().hinted);
  EXPECT_TRUE(hasKeyboard());
}

TEST_F(LessonAnswer, TypingBeforeTheFieldRegainsFocusIsNotAKey) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddInputCharactersUTF8("3");
  draw();
  compat::setEnter(true);
  for (int frame = 0; frame < 6; ++frame) {
    drawOnce();
    EXPECT_TRUE(hasKeyboard() || ui.typingSoon) << frame;
  }
  session->apply(model::command("lessons.reveal"));
  draw();
  EXPECT_FALSE(hasKeyboard() || ui.typingSoon);
}

TEST_F(LessonAnswer, WithoutALessonNothingWaitsForTheField) {
  ui.answerWished = kAnswerFrames;
  session->apply(model::command("lessons.close"));
  draw();
  EXPECT_FALSE(ui.typingSoon);
}

}  // namespace tilestep::features::lesson_answer_test
