// SPDX-License-Identifier: Apache-2.0
// Plays each lesson like a student: opens it with the mouse, answers its questions by keyboard, and
// steps forwards and backwards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "features/lessons/lesson.h"
#include "features/lessons/lesson_order.h"
#include "support/lesson_answers.h"
#include "support/source_root.h"
#include "ui/driven_window.h"

namespace tilestep::tests::lessons_test {

namespace fs = std::filesystem;
using features::Lesson;
using features::LessonStep;
using model::SceneRequest;
using nlohmann::json;

/// The lessons' files, in the order of the window's list.
std::vector<std::string> files() {
  std::vector<std::string> all;
  for (const auto& entry :
       fs::directory_iterator(fs::path(support::sourceRoot()) / "assets" / "lessons"))
    if (entry.path().extension() == ".md") all.push_back(entry.path().string());
  std::ranges::sort(all, features::comesBefore);
  return all;
}

bool isAt(const json& state, size_t index) {
  return state.at("lesson").is_object() && state.at("lesson").at("step") == index + 1;
}

std::string nameOf(const Dim3& thread) {
  return "(" + std::to_string(thread.x) + ", " + std::to_string(thread.y) + ")";
}

/// Whether the step's program has run, and one of its launches is in the scene.
bool hasRun(const json& state) {
  if (!state.contains("program")) return false;
  const json& program = state.at("program");
  return program.at("state") == "ended" && program.at("launch") > 0;
}

/// Whether the parts that arrive later have arrived: the step's figures, its plot of the sweeps,
/// its thread's story, its program's run.
bool isMade(const json& state, const LessonStep& step) {
  return (step.program.empty() || hasRun(state)) && state.at("lesson").at("coming") == false &&
         (!step.sweep || state.at("sweep").is_object()) &&
         (!step.scene.thread || state.at("thread").is_object());
}

const char* nameOf(trace::StepGranularity grain) {
  return grain == trace::StepGranularity::phase   ? "phase"
         : grain == trace::StepGranularity::epoch ? "epoch"
                                                  : "event";
}

/// Expects that the window shows everything that the step's file requests.
void expectShown(const json& state, const LessonStep& step) {
  const SceneRequest& wish = step.scene;
  if (!wish.kernel.empty()) {
    EXPECT_EQ(state["kernel"], wish.kernel);
  }
  for (const auto& [name, value] : wish.tunables) EXPECT_EQ(state["tunables"][name], value) << name;
  for (const auto& [name, value] : wish.sizes) EXPECT_EQ(state["scene_sizes"][name], value) << name;
  EXPECT_EQ(state["scenes"]["main"]["block"], json({wish.block.x, wish.block.y, wish.block.z}));
  EXPECT_EQ(state["without_barrier"], wish.withoutBarrier);
  const json& at = state["step"];
  EXPECT_EQ(at["grain"], nameOf(wish.grain));
  EXPECT_EQ(at["index"], std::min(wish.step, at["count"].get<size_t>() - 1));
  EXPECT_EQ(at["of_thread"], wish.ofThread);
  if (wish.thread) {
    EXPECT_EQ(state["thread"]["name"], nameOf(*wish.thread));
  }
  EXPECT_EQ(state["phase_table"].is_object(), step.table && step.stage != "sums");
  if (!step.panel.empty()) {
    EXPECT_EQ(state["warp_view"], step.panel == "warp");
    EXPECT_EQ(state["thread_view"], step.panel == "thread");
  }
  EXPECT_EQ(state["lesson"]["revealed"], !step.ask.has_value());
  EXPECT_EQ(state["stage"], step.stage);
  if (step.sweep) {
    EXPECT_EQ(state["sweep"]["kind"], model::nameOf(*step.sweep));
  }
}

void answerNumber(const DrivenWindow& window, const std::string& text) {
  window.key("q");
  // The field gets the keyboard a frame later; earlier keys go to the window.
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("typing") == true; }));
  window.key("ctrl+a");
  window.type(text);
  window.key("Return");
}

void answerChoice(const DrivenWindow& window, size_t index) {
  window.key("q");
  for (size_t i = 0; i < index; ++i) window.key("Right");
  ASSERT_TRUE(window.waitUntil([&](const json& s) { return s.at("choice_at") == index; }))
      << window.state()["choice_at"];
  window.key("space");
}

/// `right`: the right answer, computed independently of the program.
void answer(const DrivenWindow& window, const std::string& right, bool rightly) {
  const json choices = window.state()["lesson"]["choices"];
  if (choices.empty()) return answerNumber(window, rightly ? right : right + "1");  // 321 for 32.
  const auto at = std::ranges::find(choices, json(right));
  ASSERT_NE(at, choices.end()) << right;
  const auto index = static_cast<size_t>(at - choices.begin());
  answerChoice(window, rightly ? index : (index + 1) % choices.size());
}

void answerWronglyThenRightly(const DrivenWindow& window, const std::string& right) {
  ASSERT_NE(right, "");
  answer(window, right, false);
  ASSERT_TRUE(window.waitUntil([](const json& s) {
    return s.at("lesson").at("verdict").get<std::string>().starts_with("Not quite");
  })) << window.state()["lesson"];
  EXPECT_EQ(window.state()["lesson"]["revealed"], false);
  const bool number = window.state()["lesson"]["choices"].empty();
  ASSERT_TRUE(window.waitUntil([&](const json& s) { return s.at("typing") == number; }))
      << "the field keeps the keyboard";
  answer(window, right, true);
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("lesson").at("revealed") == true; }))
      << window.state()["lesson"];
  EXPECT_EQ(window.state()["lesson"]["verdict"], "Right.");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("typing") == false; }));
}

/// Clicks "learn" in the top bar, and then the lesson's row. A lesson that a lab contains has no
/// row, and is found with the palette.
void openWithTheMouse(const DrivenWindow& window, const std::string& stem,
                      const std::string& title) {
  constexpr int kButtonX = 110, kButtonY = 26;  // At scale 1.
  window.click(kButtonX, kButtonY);
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.contains("learn"); }));
  const json rows = window.state()["learn"];
  constexpr double kLowest = 900;
  if (rows.contains(stem) && rows.at(stem)[1].get<double>() < kLowest) {
    window.click(rows.at(stem)[0].get<int>(), rows.at(stem)[1].get<int>());
    return;
  }
  window.key("Escape");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return !s.contains("learn"); }));
  window.key("ctrl+k");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return s.at("typing") == true; }));
  window.type("lesson " + title);
  ASSERT_TRUE(window.settle());
  window.key("Return");
}

/// Goes from step `index` to the next. Page Down scrolls the text to its end before it changes the
/// step. The text's length may change while figures arrive, so one more press may be needed.
void pageDown(const DrivenWindow& window, size_t index) {
  constexpr int kMost = 12;
  constexpr double kPatienceSeconds = 20;
  for (int i = 0; i < kMost && isAt(window.state(), index); ++i) {
    const bool scrolls = window.state()["lesson"]["more_below"] == true;
    window.key("Page_Down");
    if (scrolls) {
      ASSERT_TRUE(window.settle());
    } else if (window.waitUntil([&](const json& s) { return !isAt(s, index); }, kPatienceSeconds)) {
      return;
    }
  }
}

/// At the last step, Page Down does nothing.
void pageDownAtTheEnd(const DrivenWindow& window) {
  window.key("Page_Down");
  ASSERT_TRUE(window.settle());
}

class Lessons : public testing::TestWithParam<size_t> {};

TEST_P(Lessons, CanBePlayedWithMouseAndKeyboard) {
  const std::string stem = fs::path(files()[GetParam()]).stem().string();
  const auto lesson = features::readLesson(files()[GetParam()]);
  ASSERT_TRUE(lesson.ok());
  const DrivenWindow window({"--device", "simt"});
  if (!window.unable().empty()) GTEST_SKIP() << window.unable();
  ASSERT_TRUE(window.settle());
  openWithTheMouse(window, stem, lesson->title);
  ASSERT_TRUE(window.waitUntil([&](const json& s) {
    return isAt(s, 0) && s.at("lesson").at("title") == lesson->title;
  })) << window.state()["lesson"];
  std::vector<json> scenes;
  for (size_t i = 0; i < lesson->steps.size(); ++i) {
    SCOPED_TRACE(lesson->steps[i].title);
    ASSERT_TRUE(window.waitUntil([&](const json& s) { return isAt(s, i); }));
    ASSERT_TRUE(window.settle());
    ASSERT_TRUE(window.waitUntil([&](const json& s) { return isMade(s, lesson->steps[i]); }));
    ASSERT_TRUE(window.settle()) << "a program's launch comes into the scene last";
    expectShown(window.state(), lesson->steps[i]);
    scenes.push_back(window.state()["scenes"]);
    EXPECT_EQ(window.state()["lesson"]["missing"], "");
    if (lesson->steps[i].ask)
      answerWronglyThenRightly(window, support::lessonAnswer(stem + "/" + lesson->steps[i].slug));
    ASSERT_TRUE(window.settle());
    if (i + 1 < lesson->steps.size()) pageDown(window, i);
  }
  pageDownAtTheEnd(window);
  EXPECT_TRUE(isAt(window.state(), lesson->steps.size() - 1)) << "the last step stays";
  for (size_t i = lesson->steps.size() - 1; i-- > 0;) {
    window.key("Page_Up");
    ASSERT_TRUE(window.waitUntil([&](const json& s) { return isAt(s, i); }));
    ASSERT_TRUE(window.settle());
    EXPECT_EQ(window.state()["scenes"], scenes[i]) << lesson->steps[i].title;
  }
}

std::string nameOfLesson(const testing::TestParamInfo<size_t>& info) {
  std::string name = fs::path(files()[info.param]).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Each, Lessons, testing::Range(size_t{0}, files().size()), nameOfLesson);

}  // namespace tilestep::tests::lessons_test
