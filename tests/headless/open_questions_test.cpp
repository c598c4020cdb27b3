// SPDX-License-Identifier: Apache-2.0
// While a lesson's question is open, no text in the window reveals its answer. In addition, a
// presenter's clicker, which has two keys, can play each lesson.
//
// A text reveals the answer if it contains the right number as a separate number, or the right
// choice's words. Exceptions are
// - the question and its choices;
// - labels of a picture's axes: an index of the scene that is alone, an element's name, a size ("8
// × 8") or a step;
// - a line number of the source, or the program's source without its comments;
// - a setting among the controls, or the step, if the number is below 10 or occurs in the question,
// because they show what is set and not a result.
// A right choice that is code must not occur in the source, which can be scrolled through: "row < m
// and ph·T + tx < k" is the kernel's `row < m && ph * TILE_WIDTH + tx < k`.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/files.h"
#include "features/lessons/view.h"
#include "support/known_fonts.h"
#include "support/lesson_answers.h"
#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"
#include "ui/headless_window.h"
#include "ui/kept_pictures.h"
#include "ui/page/page_recorder.h"
#include "ui/shell/saving/view_painter.h"

namespace tilestep::tests::open_questions_test {

namespace fs = std::filesystem;
using features::LessonsView;
using nlohmann::json;
using support::DrawnText;

const features::LessonView& lessonOf(const model::Snapshot& now) {
  return *now.view<LessonsView>().lesson;
}

/// A question and its right answer, computed independently of the program.
struct Asked {
  std::string question;
  std::vector<std::string> choices;
  std::string right;
};

bool isPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
}

/// The position of the first separate number in the text that equals `number`: no digit, letter or
/// decimal point is next to it, except for a sentence's full stop.
size_t numberIn(const std::string& text, const std::string& number) {
  for (size_t at = text.find(number); at != std::string::npos; at = text.find(number, at + 1)) {
    const size_t end = at + number.size();
    const bool begins = at == 0 || (!isPart(text[at - 1]) && text[at - 1] != '-');
    const bool stops = end == text.size() || !isPart(text[end]) ||
                       (text[end] == '.' && (end + 1 == text.size() || text[end + 1] == ' '));
    if (begins && stops) return at;
  }
  return std::string::npos;
}

std::string withoutGroups(std::string text) {
  static const std::regex kGroup("([0-9]),([0-9]{3})");
  for (std::string before; before != text;) {
    before = text;
    text = std::regex_replace(text, kGroup, "$1$2");
  }
  return text;
}

/// "4 × 4", "N 4 × 4 · block (0, 0)", "M[0][3]", "0,3", "3", "phase 0, first of 2": labels of the
/// picture's axes, and the current step.
bool labelsAnAxis(const std::string& text) {
  static const std::regex kLabel(
      R"([\d ]+|\d+,\d+|[A-Za-z]*\[\d+[\],]\[?\d+\]|([A-Za-z]+ )?\d+ × \d+( · .*)?|phases? \d.*|k = .*)");
  return std::regex_match(text, kLabel);
}

/// "Two scenarios · 1 of 5", "step 1 of 5"
bool saysWhichStep(const std::string& text) {
  static const std::regex kPlace(R"((.* · |step )\d+ of \d+)");
  return std::regex_match(text, kPlace);
}

/// Whether this is the program's source, not a comment or a line's execution count.
bool isProgram(const std::string& text) {
  return text.find("×") == std::string::npos && text.find("//") == std::string::npos;
}

bool givesAway(const DrawnText& drawn, const Asked& asked) {
  const bool inScene = drawn.panel == "scene";
  if (!asked.choices.empty()) {
    if (drawn.panel.starts_with("lesson") || (inScene && labelsAnAxis(drawn.text))) return false;
    return drawn.text.find(asked.right) != std::string::npos;
  }
  const std::string text = withoutGroups(drawn.text);
  if (numberIn(text, asked.right) == std::string::npos) return false;
  const bool said = numberIn(withoutGroups(asked.question), asked.right) != std::string::npos;
  const bool small = asked.right.size() == 1;
  if (drawn.panel == "tabs") return false;  // Names of views, such as "4 × 4 example".
  if (drawn.panel.starts_with("lesson")) return !said && !saysWhichStep(drawn.text);
  if (inScene) return !labelsAnAxis(drawn.text);
  if (drawn.panel.starts_with("source")) return !isProgram(drawn.text);
  if (drawn.panel == "controls" || drawn.panel == "transport") return !small && !said;
  return true;
}

/// Whether this is the question or a choice in the lesson's panel.
bool isQuestion(const DrawnText& drawn, const Asked& asked) {
  if (!drawn.panel.starts_with("lesson")) return false;
  if (asked.question.find(drawn.text) != std::string::npos) return true;
  return std::ranges::find(asked.choices, drawn.text) != asked.choices.end();
}

std::vector<std::string> leaksIn(const std::vector<DrawnText>& texts, const Asked& asked) {
  std::vector<std::string> leaks;
  for (const DrawnText& drawn : texts)
    if (!isQuestion(drawn, asked) && givesAway(drawn, asked))
      leaks.push_back(drawn.panel + ": " + drawn.text);
  return leaks;
}

Asked askedIn(const features::LessonView& view, const std::string& lesson) {
  return {view.shown->question, view.shown->choices,
          support::lessonAnswer(lesson + "/" + view.step().slug)};
}

bool isComplete(const std::string& state) {
  return json::parse(state).at("lesson").at("coming") == false;
}

/// A choice in the kernel's syntax, without blanks; empty if it is not code. The question explains
/// abbreviations: "(T is TILE_WIDTH.)".
std::string asCode(std::string text, const std::string& question) {
  static const std::regex kShort(R"(\((\w+) is (\w+)\.\))"), kOperator("[<>=+*&]");
  for (auto at = std::sregex_iterator(question.begin(), question.end(), kShort);
       at != std::sregex_iterator(); ++at)
    text = std::regex_replace(text, std::regex("\\b" + at->str(1) + "\\b"), at->str(2));
  text = std::regex_replace(text, std::regex("·"), "*");
  text = std::regex_replace(text, std::regex(" and "), "&&");
  std::erase(text, ' ');
  return std::regex_search(text, kOperator) ? text : "";
}

/// The whole source as in its panel, without blanks.
std::string listingOf(HeadlessWindow& window) {
  const auto now = window.session().snapshot();
  ui::ViewPainter painter({}, 1, nullptr);
  const auto picture =
      painter.shapes({*now, window.session(), window.ui(), "source", false, ""}).value();
  std::string listing;
  for (const gfx::Shape& shape : picture.drawing.shapes)
    if (const auto* piece = std::get_if<gfx::TextShape>(&shape.what)) listing += piece->text;
  std::erase(listing, ' ');
  return listing;
}

/// The lines of the source on a web page before the question is answered, without blanks.
std::string listingOf(const std::string& page) {
  std::string code;
  constexpr std::string_view kBegin = "<pre><code>", kEnd = "</code></pre>";
  for (size_t at = page.find(kBegin); at != std::string::npos; at = page.find(kBegin, at + 1))
    code += page.substr(at, page.find(kEnd, at) - at);
  code = std::regex_replace(code, std::regex("<[^>]*>| "), "");
  for (const auto& [escaped, sign] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}})
    code = std::regex_replace(code, std::regex(escaped), sign);
  return code;
}

/// The web page of the current step.
std::string pageOf(HeadlessWindow& window) {
  const support::TemporaryFolder folder("questions");
  const auto now = window.session().snapshot();
  const std::filesystem::path file = folder.path("page.html");
  const auto recorder = ui::PageRecorder::make({}, file, support::sourceRoot()).value();
  EXPECT_TRUE(recorder->add(*now, window.session(), window.ui()));
  EXPECT_TRUE(recorder->finish());
  return readTextFile(file, size_t{64} << 20).value();
}

/// The texts in the pictures of a web page's step before the question is answered. All other parts
/// that may contain the answer are encoded completely (tests/unit/model/page_test.cpp).
std::vector<DrawnText> textsOfPage(const std::string& html) {
  static const std::regex kText(R"(<text[^>]*>([^<]*)</text>)");
  std::vector<DrawnText> texts;
  for (auto at = std::sregex_iterator(html.begin(), html.end(), kText);
       at != std::sregex_iterator(); ++at)
    texts.push_back({"scene", at->str(1)});
  return texts;
}

/// The words of the lesson's step, without markup, as in a picture's heading.
std::string wordsOf(const features::LessonView& view) {
  std::string words = view.shown->question;
  for (const std::string& paragraph : view.shown->text) words += "\n" + paragraph;
  std::erase_if(words, [](char c) { return c == '*' || c == '`'; });
  return words;
}

/// The texts in the saved pictures of each view. The source's picture shows no more than its panel,
/// which can be scrolled through while a question is open.
std::vector<DrawnText> textsOfPictures(HeadlessWindow& window) {
  const auto now = window.session().snapshot();
  const std::string words = wordsOf(lessonOf(*now));
  ui::ViewPainter painter({}, 1, nullptr);
  std::vector<DrawnText> texts;
  for (const model::TableKind& kind : now->tables) {
    const ui::ViewRequest request{*now, window.session(), window.ui(), std::string(kind.id), false,
                                  ""};
    if (request.view == "source" || !painter.canDraw(request)) continue;
    const auto picture = painter.shapes(request).value();
    for (const gfx::Shape& shape : picture.drawing.shapes)
      if (const auto* piece = std::get_if<gfx::TextShape>(&shape.what)) {
        const bool head = words.find(piece->text) != std::string::npos;
        texts.push_back(
            {head && !labelsAnAxis(piece->text) ? "lesson" : request.view, piece->text});
      }
  }
  return texts;
}

/// Texts about races, which may be the subject of the question.
std::vector<std::string> racesIn(const std::vector<DrawnText>& texts) {
  static const std::regex kRace(
      "[Hh]azard|slots? races?|[0-9]+ races?|read-after-write|write-after-read|wrong result");
  std::vector<std::string> found;
  for (const DrawnText& drawn : texts)
    if (!drawn.panel.starts_with("lesson") && std::regex_search(drawn.text, kRace))
      found.push_back(drawn.panel + ": " + drawn.text);
  return found;
}

class OpenQuestions : public testing::TestWithParam<std::string> {
 protected:
  void open(float width, float height) {
    model::SessionOptions options;
    options.home = support::sourceRoot();
    options.device = "simt";
    window = std::make_unique<HeadlessWindow>(options, width, height);
    window->session().apply(model::command(
        "lessons.open",
        (fs::path(support::sourceRoot()) / "assets" / "lessons" / (GetParam() + ".md")).string()));
    window->frame();
  }
  [[nodiscard]] features::LessonView view() const {
    return lessonOf(*window->session().snapshot());
  }
  [[nodiscard]] std::vector<std::string> leaks() const {
    return leaksIn(window->texts(), askedIn(view(), GetParam()));
  }
  /// The right choice in the kernel's syntax; empty if it is not code.
  [[nodiscard]] std::string rightCode() const {
    const Asked asked = askedIn(view(), GetParam());
    return asked.choices.empty() ? "" : asCode(asked.right, asked.question);
  }
  std::unique_ptr<HeadlessWindow> window;
};

TEST_P(OpenQuestions, AreNotAnsweredByAnyTextOnScreen) {
  open(kPictureWidth, kPictureHeight);
  size_t told = 0, numbers = 0;
  for (size_t i = 0; i < view().lesson->steps.size(); ++i) {
    window->session().apply(model::command("lessons.step", i));
    window->frame();
    if (!view().step().ask) continue;
    SCOPED_TRACE(view().step().title);
    ASSERT_TRUE(window->settle(isComplete));
    ASSERT_FALSE(view().revealed);
    ASSERT_NE(askedIn(view(), GetParam()).right, "");
    for (const std::string& leak : leaks()) ADD_FAILURE() << leak;
    if (view().covers(features::Covered::labels))
      for (const std::string& race : racesIn(window->texts())) ADD_FAILURE() << race;
    for (const std::string& leak : leaksIn(textsOfPictures(*window), askedIn(view(), GetParam())))
      ADD_FAILURE() << "in a saved picture, " << leak;
    if (const std::string code = rightCode(); !code.empty()) {
      EXPECT_FALSE(has(listingOf(*window), code)) << "in the source: " << code;
    }
    // Each foreseen wrong answer has an explanation that does not reveal the right answer.
    const std::vector<features::FilledMisconception> all = view().shown->wrong;
    for (const features::FilledMisconception& wrong : all) {
      window->session().apply(model::command("lessons.step", i));
      ASSERT_TRUE(wrong.answer);
      window->session().apply(model::command("lessons.answer", *wrong.answer));
      window->session().apply(model::command("lessons.hint"));
      window->frame();
      window->frame();
      EXPECT_EQ(view().verdict, "Not quite. " + wrong.because);
      for (const std::string& leak : leaks()) ADD_FAILURE() << *wrong.answer << ": " << leak;
    }
    window->session().apply(model::command("lessons.reveal"));
    window->frame();
    ASSERT_TRUE(window->settle(isComplete));
    told += leaks().empty() ? 0 : 1;
    numbers += view().shown->choices.empty() ? 1 : 0;
    const std::string page = pageOf(*window);
    for (const std::string& leak : leaksIn(textsOfPage(page), askedIn(view(), GetParam())))
      ADD_FAILURE() << "on the web page, " << leak;
    if (const std::string code = rightCode(); !code.empty()) {
      EXPECT_FALSE(has(listingOf(page), code)) << "on the web page: " << code;
      if (!view().step().ask->hide.empty()) {
        EXPECT_TRUE(has(listingOf(*window), code))
            << "what the answer uncovers is not there: is it looked for rightly?";
      }
    }
  }
  EXPECT_TRUE(told > 0 || numbers == 0)
      << "what an answer uncovers does not tell it: is it looked for rightly?";
}

/// Every press shows something new: the rest of the text, an open question's answer, or the next
/// step.
TEST_P(OpenQuestions, AreAnsweredByAClickersKey) {
  open(1280, 720);
  const auto makeFrames = [&] {
    for (int i = 0; i < 8; ++i) window->frame();  // The card's height follows its contents.
  };
  const auto press = [&] {
    makeFrames();
    for (float rest = window->ui().card.rest; rest > 0; rest = window->ui().card.rest) {
      window->key("pagedown");
      makeFrames();
      ASSERT_LT(window->ui().card.rest, rest);
    }
    window->key("pagedown");
    makeFrames();
  };
  const size_t steps = view().lesson->steps.size();
  for (size_t i = 0; i < steps; ++i) {
    ASSERT_EQ(view().index, i);
    SCOPED_TRACE(view().step().title);
    if (view().step().ask) {
      EXPECT_FALSE(view().revealed);
      press();
      ASSERT_EQ(view().index, i);
      EXPECT_TRUE(view().revealed);
    }
    press();
  }
  EXPECT_EQ(view().index, steps - 1) << "the last step stays";
  for (size_t i = steps - 1; i-- > 0;) {
    window->key("pageup");
    window->frame();
    ASSERT_EQ(view().index, i);
    EXPECT_TRUE(view().revealed) << "what was answered stays so";
  }
}

INSTANTIATE_TEST_SUITE_P(Each, OpenQuestions, testing::ValuesIn(lessons()),
                         [](const auto& made) { return testName(made.param); });

}  // namespace tilestep::tests::open_questions_test
