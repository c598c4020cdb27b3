// SPDX-License-Identifier: Apache-2.0
// Whatever a lesson's text names exists at that step, in the step's guided view: a key changes what
// is seen, a panel is drawn, the source has the line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/hash.h"
#include "features/lessons/view.h"
#include "features/program/view.h"
#include "features/roofline/roofline_view.h"
#include "support/known_fonts.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "ui/headless_window.h"
#include "ui/kept_pictures.h"
#include "ui/shell/help/help.h"

namespace tilestep::tests::lesson_promises_test {

namespace fs = std::filesystem;
using features::LessonsView;
using support::DrawnText;

/// The keys that a text names, in the notation of ui/key_names.h.
std::vector<std::string> keysIn(const std::string& text) {
  struct Form {
    std::regex words;
    std::function<std::string(const std::smatch&)> key;
  };
  const auto lower = [](const std::smatch& match) {
    return std::string(
        1, static_cast<char>(std::tolower(static_cast<unsigned char>(match.str(1)[0]))));
  };
  static const std::vector<Form> kForms{
      {std::regex(R"((?:[Pp]ress|[Kk]ey) `?([A-Z0-9!?.,\[\]])`?(?=[\s).,;:]))"), lower},
      {std::regex(R"([(:;.] ?([A-Z]) (?:measures|counts|shows|opens|changes|runs)\b)"), lower},
      {std::regex(R"(\b(F[0-9]{1,2})\b)"), [](const std::smatch& match) { return match.str(1); }},
      {std::regex(R"(Ctrl(?:\+| and )(Enter\b|[^\s)]))"),
       [lower](const std::smatch& match) {
         return "ctrl+" + (match.str(1) == "Enter" ? "enter" : lower(match));
       }},
      {std::regex("Alt (?:and|with) an arrow"), [](const std::smatch&) { return "alt+left"; }},
      {std::regex("Shift (?:and|with) an arrow"), [](const std::smatch&) { return "shift+right"; }},
      {std::regex(R"(\bSpace\b|[Ss]pace bar)"), [](const std::smatch&) { return "space"; }}};
  std::vector<std::string> keys;
  for (const Form& form : kForms)
    for (auto at = std::sregex_iterator(text.begin(), text.end(), form.words);
         at != std::sregex_iterator(); ++at)
      keys.push_back(form.key(*at));
  return keys;
}

/// Whether a view is on screen and not covered.
bool shows(HeadlessWindow& window, const char* view) {
  const gfx::Box box = window.ui().boxOf(view);
  return std::ranges::any_of(window.texts(), [&](const DrawnText& drawn) {
    return box.contains({(drawn.left + drawn.right) / 2, drawn.top + drawn.height / 2}) &&
           !drawn.text.starts_with("Covered");
  });
}

bool showsOne(HeadlessWindow& window, std::initializer_list<const char*> views) {
  return std::ranges::any_of(views, [&](const char* view) { return shows(window, view); });
}

bool drawsIn(const HeadlessWindow& window, const std::string& panel, const std::string& text) {
  return std::ranges::any_of(window.texts(), [&](const DrawnText& drawn) {
    return drawn.panel.starts_with(panel) && drawn.text.find(text) != std::string::npos;
  });
}

/// Whether the scene's sentence, or the sentence above another picture, is shown.
bool showsSentence(HeadlessWindow& window) {
  const std::string sentence = window.session().snapshot()->sentence;
  if (drawsIn(window, "scene", sentence.substr(0, sentence.find(' ', 30)))) return true;
  return std::ranges::any_of(window.texts(), [](const DrawnText& drawn) {
    return drawn.panel.starts_with("stage") && std::ranges::count(drawn.text, ' ') > 5;
  });
}

/// Whether the slider of the kernel's first tunable, or of the open program's first number, is
/// shown.
bool showsSlider(HeadlessWindow& window) {
  if (window.ui().stage == ui::Stage::program) {
    const auto& sliders = window.session().snapshot()->view<features::ProgramView>().sliders;
    return !sliders.empty() && drawsIn(window, "stage", sliders.front().name);
  }
  const auto& tunables = window.session().snapshot()->entry()->spec->tunables;
  return !tunables.empty() && drawsIn(window, "measures", tunables.front().name);
}

bool showsPicture(HeadlessWindow& window) {
  return !window.ui().stageCovered && window.ui().boxOf(tableOf(window.ui().stage)).height > 0;
}

struct Named {
  std::regex words;
  std::function<bool(HeadlessWindow&)> isThere;
};

const std::vector<Named>& panels() {
  using Window = HeadlessWindow&;
  static const std::vector<Named> kAll{
      {std::regex(R"(\b[Rr]oofline\b)"), [](Window w) { return shows(w, "roofline"); }},
      {std::regex(R"([Pp]lot of occupancy)"), [](Window w) { return shows(w, "occupancy"); }},
      {std::regex(R"([Tt]he measures\b)"),
       [](Window w) {
         return showsOne(w, {"occupancy", "roofline", "traffic", "gains"});
       }},
      {std::regex(R"(\b[Tt]imeline\b)"), [](Window w) { return shows(w, "timeline"); }},
      {std::regex(R"(\b[Ss]weeps?\b)"), [](Window w) { return shows(w, "sweep"); }},
      {std::regex(R"(\b[Tt]he table\b)"),
       [](Window w) {
         return showsOne(w, {"phases", "sums", "sweep"});
       }},
      {std::regex(R"((tab|panel) \*\*PTX\*\*)"), [](Window w) { return shows(w, "ptx"); }},
      {std::regex(R"(beside the source\b)"), [](Window w) { return shows(w, "source"); }},
      {std::regex(R"(list of threads|(tab|panel) \*\*Block\*\*)"),
       [](Window w) { return shows(w, "threads"); }},
      {std::regex(R"([Ww]arp panel|(tab|panel) \*\*Warp\*\*)"),
       [](Window w) { return shows(w, "warp"); }},
      {std::regex(R"(\bsentence\b)"), showsSentence},
      {std::regex(R"(\b[Ss]lider\b)"), showsSlider},
      {std::regex(R"(in the picture\b|of the picture\b|[Tt]he picture shows)"), showsPicture}};
  return kAll;
}

std::vector<std::string> linesIn(const std::string& text) {
  static const std::regex kLine(R"(\blines? ([0-9]+)\b)");
  std::vector<std::string> lines;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), kLine);
       at != std::sregex_iterator(); ++at)
    lines.push_back(at->str(1));
  return lines;
}

bool namesSomething(const std::string& text) {
  return !keysIn(text).empty() || !linesIn(text).empty() ||
         std::ranges::any_of(
             panels(), [&](const Named& panel) { return std::regex_search(text, panel.words); });
}

/// A hash of everything that the last frame drew.
uint64_t lastFrame() {
  std::string all;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImVector<ImDrawVert>& vertices = data.CmdLists[i]->VtxBuffer;
    all.append(reinterpret_cast<const char*>(vertices.Data),
               static_cast<size_t>(vertices.Size) * sizeof(ImDrawVert));
  }
  return fnv1a64(all);
}

/// Whether the help explains the key; a key with a modifier or a name has its own line.
bool isInHelp(const std::string& key) {
  if (key.size() > 1 || std::isalpha(static_cast<unsigned char>(key[0])) == 0) return true;
  const std::regex alone("(^|[ ,])" + std::string(1, static_cast<char>(std::toupper(key[0]))) +
                         "($|,)");
  return std::ranges::any_of(ui::allKeys(), [&](const ui::KeyHelp& help) {
    return std::regex_search(std::string(help.keys), alone);
  });
}

/// Whether the lesson's figures exist, and its program, if there is one, has run.
bool isComplete(const std::string& text) {
  const nlohmann::json state = nlohmann::json::parse(text);
  const bool runs = state.contains("program") && state.at("program").at("state") == "running";
  return !runs && state.at("lesson").at("coming") == false;
}

/// The window's state, except for the scroll position in the lesson's text.
nlohmann::json stateOf(const HeadlessWindow& window) {
  nlohmann::json state = nlohmann::json::parse(window.state());
  state.at("lesson").erase("more_below");
  return state;
}

class GuidedLesson : public testing::Test {
 protected:
  void open(const std::string& lesson) {
    model::SessionOptions options;
    options.home = support::sourceRoot();
    options.device = "simt";
    options.programRunner = support::tilestepWords({}).front();
    constexpr float kWidth = 1366, kHeight = 768;  // A laptop's.
    window = std::make_unique<HeadlessWindow>(options, kWidth, kHeight,
                                              HeadlessWishes{.installedCompiler = true});
    window->ui().density = model::Density::lesson;
    const fs::path folder = fs::path(support::sourceRoot()) / "assets" / "lessons";
    window->session().apply(model::command("lessons.open", (folder / (lesson + ".md")).string()));
    window->frame();
  }
  void goTo(size_t step) {
    window->session().apply(model::command("lessons.step", step));
    window->frame();
  }
  [[nodiscard]] features::LessonView view() const {
    return *window->session().snapshot()->view<LessonsView>().lesson;
  }
  void expectKey(const std::string& key) {
    makeFrames();
    const uint64_t before = lastFrame();
    makeFrames();
    ASSERT_EQ(lastFrame(), before) << "something moves by itself";
    const ui::UiState asBefore = window->ui();
    const nlohmann::json stateBefore = stateOf(*window);
    window->key(key);
    makeFrames();
    EXPECT_NE(lastFrame(), before) << "the key " << key << " changes nothing";
    EXPECT_TRUE(isInHelp(key)) << key;
    // Everything else is searched in the unchanged step.
    window->ui() = asBefore;
    goTo(view().index);
    ASSERT_TRUE(window->settle(isComplete));
    EXPECT_EQ(stateOf(*window), stateBefore) << "the key " << key << " left something changed";
  }
  void expectAllThatIsNamedIn(const std::string& text) {
    if (!namesSomething(text)) return;
    SCOPED_TRACE(text);
    ASSERT_TRUE(window->settle(isComplete));
    for (const Named& panel : panels())
      if (std::smatch match; std::regex_search(text, match, panel.words)) {
        EXPECT_TRUE(panel.isThere(*window)) << match.str() << " is not on screen";
      }
    const char* listing = window->ui().stage == ui::Stage::program ? "stage" : "source";
    for (const std::string& line : linesIn(text))
      EXPECT_TRUE(drawsIn(*window, listing, line)) << "line " << line << " is not on screen";
    for (const std::string& key : keysIn(text)) expectKey(key);
  }
  void expectAllThatTheStepNames() {
    const features::LessonView now = view();  // Keys change the published view.
    for (const std::string& text : now.shown->text) expectAllThatIsNamedIn(text);
    expectAllThatIsNamedIn(now.shown->question);
    if (!now.revealed) return expectAllThatIsNamedIn(now.shown->hint);
    for (const std::string& text : now.shown->answer) expectAllThatIsNamedIn(text);
  }
  void makeFrames() {
    // The card's height follows its contents, and then the card scrolls.
    constexpr int kFrames = 8;
    for (int i = 0; i < kFrames; ++i) window->frame();
  }
  std::unique_ptr<HeadlessWindow> window;
};

class LessonPromises : public GuidedLesson, public testing::WithParamInterface<std::string> {};

TEST_P(LessonPromises, AreKeptAtTheStepThatMakesThem) {
  open(GetParam());
  for (size_t i = 0; i < view().lesson->steps.size(); ++i) {
    goTo(i);
    SCOPED_TRACE(view().step().title);
    expectAllThatTheStepNames();
    if (view().revealed) continue;
    window->session().apply(model::command("lessons.reveal"));
    window->frame();
    expectAllThatTheStepNames();
  }
}

INSTANTIATE_TEST_SUITE_P(Each, LessonPromises, testing::ValuesIn(lessons()),
                         [](const auto& made) { return testName(made.param); });

/// The text's figures and the picture's point must be the same numbers.
TEST_F(GuidedLesson, TheTextDescribesThePointInTheRoofline) {
  open("5-what-it-buys");
  for (const size_t step : {0, 1}) {
    goTo(step);
    SCOPED_TRACE(view().step().title);
    window->session().apply(model::command("lessons.reveal"));
    ASSERT_TRUE(window->settle(isComplete));
    const auto snapshot = window->session().snapshot();
    const auto& points = snapshot->view<features::RooflineView>().points;
    const auto at = std::ranges::find_if(points, [](const features::RoofPoint& point) {
      return !point.companion && point.point.level == metrics::Level::lanes;
    });
    ASSERT_NE(at, points.end());
    std::string text;
    const features::LessonView now = view();
    for (const std::string& paragraph : now.shown->answer) text += paragraph + "\n";
    for (const std::string& told : {toText(at->point.intensity.value, Unit::flopPerByte),
                                    toText(*at->flopPerSecond, Unit::flopPerSecond)})
      EXPECT_TRUE(has(text, told)) << told << " is not in: ";
  }
}

TEST(WordsOfLessons, NameKeysPanelsAndLines) {
  EXPECT_EQ(keysIn("next to this show it; press K to change"), std::vector<std::string>{"k"});
  EXPECT_EQ(keysIn("The key `.` leads (key I) to it"), (std::vector<std::string>{".", "i"}));
  EXPECT_EQ(keysIn("the source (F3), not FP32 (C measures it)"),
            (std::vector<std::string>{"c", "F3"}));
  EXPECT_EQ(keysIn("(the wheel, or Ctrl and +)"), std::vector<std::string>{"ctrl++"});
  EXPECT_EQ(keysIn("press Alt with an arrow key, or Space"),
            (std::vector<std::string>{"alt+left", "space"}));
  EXPECT_TRUE(keysIn("while path A runs, M moves. A key is pressed.").empty());
  EXPECT_EQ(linesIn("see line 80, lines of 128 bytes"), std::vector<std::string>{"80"});
  EXPECT_FALSE(namesSomething("Each thread loads two elements."));
}

}  // namespace tilestep::tests::lesson_promises_test
