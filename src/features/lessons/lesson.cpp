// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/files.h"
#include "base/toml/parse_toml.h"
#include "base/toml/toml_reader.h"
#include "features/lessons/lesson_ask_reader.h"
#include "features/lessons/lesson_run_reader.h"

namespace tilestep::features {
namespace {

constexpr size_t kLongestLesson = size_t{1} << 20;
constexpr size_t kMostSteps = 200;
constexpr int kMostBlocks = 2;
constexpr std::string_view kFence = "```";

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return text;
}

std::string slugOf(std::string_view title) {
  std::string slug;
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!slug.empty() && slug.back() != '-')
      slug += '-';
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "step" : slug;
}

class Parser {
 public:
  Parser(std::string_view text, std::string file)
      : text_(text), file_(std::move(file)), reader_(file_, text_) {}

  Result<Lesson> parse() {
    for (size_t at = 0; at < text_.size() && !reader_.error();) {
      size_t end = text_.find('\n', at);
      if (end == std::string_view::npos) end = text_.size();
      ++number_;
      line(text_.substr(at, end - at));
      at = end + 1;
    }
    if (reader_.error()) return *reader_.error();
    endParagraph();
    if (inToml_) reader_.fail(tomlStart_, 1, "this block is never closed: end it with ```");
    if (lesson_.title.empty()) reader_.fail(1, 1, "a lesson must begin with its title: # Title");
    if (lesson_.steps.empty())
      reader_.fail(std::max(number_, 1), 1, "a lesson must have at least one step: ## Title");
    if (reader_.error()) return *reader_.error();
    return std::move(lesson_);
  }

 private:
  void line(std::string_view whole) {
    const std::string_view text = trimmed(whole);
    if (inToml_) {
      if (text == kFence) return endToml();
      toml_ += std::string(whole) + "\n";
      return;
    }
    if (text.starts_with("## ")) return startStep(text.substr(3));
    if (text.starts_with("# ")) return startLesson(text.substr(2));
    if (text == "```toml") return startToml();
    if (text.starts_with(kFence))
      return reader_.fail(number_, 1, "only blocks of ```toml are allowed in a lesson");
    if (text == "---") return startAnswer();
    if (text.empty()) return endParagraph();
    if (!paragraph_.empty()) paragraph_ += ' ';
    lines_.push_back(
        {paragraph_.size(), number_, static_cast<size_t>(text.data() - whole.data()) + 1});
    paragraph_ += text;
    if (lesson_.steps.empty())
      reader_.fail(number_, 1, "text must be in a step: begin one with ## Title");
  }

  void startLesson(std::string_view title) {
    if (!lesson_.title.empty() || !lesson_.steps.empty())
      return reader_.fail(number_, 1, "a lesson must have one title, at its beginning");
    lesson_.title = trimmed(title);
  }

  void startStep(std::string_view title) {
    endParagraph();
    if (lesson_.steps.size() == kMostSteps)
      return reader_.fail(number_, 1, "a lesson must have at most 200 steps");
    LessonStep step;
    // A step inherits the settings that it omits from the previous step.
    if (!lesson_.steps.empty()) step.scene = lesson_.steps.back().scene;
    if (!lesson_.steps.empty()) step.stage = lesson_.steps.back().stage;
    if (!lesson_.steps.empty()) step.program = lesson_.steps.back().program;
    if (!lesson_.steps.empty()) step.sweep = lesson_.steps.back().sweep;
    step.scene.withoutBarrier = 0;
    step.title = trimmed(title);
    step.slug = slugOf(title);
    lesson_.steps.push_back(std::move(step));
    answering_ = false;
    blocks_ = 0;
  }

  void startAnswer() {
    endParagraph();
    if (lesson_.steps.empty() || !lesson_.steps.back().ask)
      return reader_.fail(number_, 1,
                          "--- separates a question from its answer; this step has no question");
    if (answering_) return reader_.fail(number_, 1, "this step already has an answer");
    answering_ = true;
  }

  void startToml() {
    endParagraph();
    if (++blocks_ > kMostBlocks)
      return reader_.fail(number_, 1, "a step must have at most two blocks of ```toml");
    inToml_ = true;
    tomlStart_ = number_;
    toml_.clear();
    reader_.setLinesBefore(number_);
  }

  void endToml() {
    inToml_ = false;
    const Result<toml::table> table = parseToml(toml_);
    if (!table) return reader_.failToParse(table.error());
    lesson_.steps.empty() ? runs(*table) : scene(*table, lesson_.steps.back());
  }

  void runs(const toml::table& table) {
    if (!table.contains("run"))
      return reader_.fail(
          tomlStart_, 1,
          "a scene must be in a step: begin one with ## Title; only runs are allowed "
          "before the first step: [run.tiled]");
    if (!lesson_.runs.empty())
      return reader_.fail(tomlStart_, 1, "a lesson's runs must be in one block");
    lesson_.runs = readLessonRuns(reader_, table);
  }

  void scene(const toml::table& table, LessonStep& step) {
    reader_.onlyKeys(table, {"kernel",          "tunables",     "size",     "sizes",   "block",
                             "thread",          "grain",        "step",     "barrier", "beside",
                             "beside_tunables", "beside_block", "panel",    "table",   "stage",
                             "sweep",           "device",       "measured", "roof",    "ask",
                             "occupancy",       "program",      "level"},
                     "a step");
    SceneRequest& scene = step.scene;
    scene.kernel = reader_.text(table, "kernel", scene.kernel);
    if (table.contains("kernel") || table.contains("tunables")) scene.tunables = {};
    if (table.contains("tunables")) scene.tunables = readBindings(reader_, table, "tunables");
    if (table.contains("kernel")) {
      scene.sizes = {};
      scene.thread.reset();
      scene.comparison = Comparison::kUsual;
    }
    comparison(table, scene);
    if (table.contains("sizes")) scene.sizes = readBindings(reader_, table, "sizes");
    if (table.contains("size")) {
      const int64_t size = reader_.integer(table, "size", 8);
      scene.sizes = {{"m", size}, {"n", size}, {"k", size}};
    }
    place(table, "block", [&](const Dim3& at) { scene.block = at; });
    place(table, "thread", [&](const Dim3& at) { scene.thread = at; });
    grain(table, scene);
    if (table.contains("barrier")) {
      const int64_t number = reader_.integer(table, "barrier", 0);
      if (number < 1 || number > 64)
        reader_.fail(*table.get("barrier"),
                     "barrier must be the number of the barrier to remove, from 1");
      else
        scene.withoutBarrier = static_cast<uint32_t>(number);
    }
    if (table.contains("step"))
      scene.step = static_cast<size_t>(std::max<int64_t>(reader_.integer(table, "step", 1), 1) - 1);
    step.panel = reader_.text(table, "panel", step.panel);
    if (!step.panel.empty() && step.panel != "threads" && step.panel != "warp" &&
        step.panel != "thread" && step.panel != "ptx" && step.panel != "source")
      reader_.fail(*table.get("panel"),
                   "panel must be \"threads\", \"warp\", \"thread\", \"ptx\" or \"source\"");
    measuring(table, step);
    step.table = reader_.boolean(table, "table", step.table);
    step.occupancy = reader_.boolean(table, "occupancy", step.occupancy);
    level(table, step);
    if (const toml::node* node = table.get("ask")) {
      const auto count = [this](const LessonText& text, int line) { countFigures(text, line); };
      step.ask = readAsk(*node, text_, lesson_.runs, reader_, count);
    }
  }

  void level(const toml::table& table, LessonStep& step) {
    if (!table.contains("level")) return;
    const std::string name = reader_.text(table, "level", "");
    step.allLevels = name == "all";
    if (step.allLevels) return;
    const auto at = std::ranges::find(kRoofFocusNames, name);
    if (at == kRoofFocusNames.end())
      reader_.fail(
          *table.get("level"),
          "level must be \"nearest\", \"lanes\", \"l1\", \"l2\", \"dram\", \"shared\" or \"all\"");
    else
      step.level = static_cast<RoofFocus>(at - kRoofFocusNames.begin());
  }

  void measuring(const toml::table& table, LessonStep& step) {
    SceneRequest& scene = step.scene;
    scene.device = reader_.text(table, "device", scene.device);
    const bool known = scene.device.empty() || scene.device == SceneRequest::kMeasured ||
                       scene.device == SceneRequest::kInterpreter;
    if (!known)
      reader_.fail(*table.get("device"),
                   "device must be \"measured\" (a GPU that is present, otherwise a recording) or "
                   "\"interpreter\"");
    scene.roof = reader_.text(table, "roof", scene.roof);
    if (table.contains("measured")) {
      scene.measured = reader_.integer(table, "measured", 1);
      if (scene.measured < 1 || scene.measured > 65536)
        reader_.fail(*table.get("measured"),
                     "measured is m = n = k of the timed launch and must be from 1 to 65536");
    }
    step.stage = reader_.text(table, "stage", step.stage);
    named<Stage, kStages>(table, "stage", step.stage);
    sweep(table, step);
    program(table, step);
    // The small tiles of earlier steps are for viewing, not for comparing speeds.
    scene.othersByDefault = step.sweep == SweepKind::ladder;
  }

  /// Reads one of the kinds of sweep that the key U cycles through.
  void sweep(const toml::table& table, LessonStep& step) {
    const bool sweeps = step.stage == nameOf(Stage::sweeps);
    if (!sweeps) step.sweep.reset();
    if (!table.contains("sweep")) return;
    step.sweep = named<SweepKind, kSweepKinds>(table, "sweep", reader_.text(table, "sweep"));
    if (!sweeps) reader_.fail(*table.get("sweep"), "sweep needs stage = \"sweeps\"");
  }

  /// Reads the name of a file in assets/programs without ".cu".
  void program(const toml::table& table, LessonStep& step) {
    const bool isThere = step.stage == nameOf(Stage::program);
    if (!isThere) step.program.clear();
    if (!table.contains("program")) return;
    step.program = reader_.text(table, "program");
    const bool isName = std::ranges::all_of(
        step.program, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    if (!isName || step.program.empty())
      reader_.fail(*table.get("program"),
                   "program must be the name of a file in assets/programs, without \".cu\"");
    else if (!isThere)
      reader_.fail(*table.get("program"), "program needs stage = \"program\"");
  }

  /// The enumerator with this name. If there is none, the error lists the `Count` names.
  template <class Name, size_t Count>
  std::optional<Name> named(const toml::table& table, const char* key, const std::string& word) {
    std::string names;
    for (size_t i = 0; i < Count; ++i) {
      const auto name = static_cast<Name>(i);
      if (word == nameOf(name)) return name;
      names += (i > 0 ? ", \"" : "\"") + std::string(nameOf(name)) + "\"";
    }
    reader_.fail(*table.get(key), std::string(key) + " must be one of " + names);
    return std::nullopt;
  }

  void comparison(const toml::table& table, SceneRequest& scene) {
    if (table.contains("kernel") || table.contains("beside")) {
      scene.comparisonTunables = {};
      scene.comparisonBlock.reset();
    }
    scene.comparison = reader_.text(table, "beside", scene.comparison);
    if (scene.comparison.empty())
      reader_.fail(
          *table.get("beside"),
          "beside must be a kernel's name, \"auto\" (naive beside another product) or \"none\"");
    if (table.contains("beside_tunables"))
      scene.comparisonTunables = readBindings(reader_, table, "beside_tunables");
    place(table, "beside_block", [&](const Dim3& at) { scene.comparisonBlock = at; });
  }

  /// Reads [x, y], counted from 0.
  template <class Take>
  void place(const toml::table& table, const char* key, Take take) {
    const std::vector<int64_t> at = reader_.integers(table, key);
    if (at.empty()) return;
    if (at.size() != 2 || at[0] < 0 || at[1] < 0 || at[0] > 65535 || at[1] > 65535)
      return reader_.fail(*table.get(key), std::string(key) + " must be [x, y], counted from 0");
    take(Dim3{static_cast<uint32_t>(at[0]), static_cast<uint32_t>(at[1]), 0});
  }

  void grain(const toml::table& table, SceneRequest& scene) {
    const std::string word = reader_.text(table, "grain");
    if (word.empty()) return;
    scene.ofThread = word == "thread";
    if (word == "phase")
      scene.grain = trace::StepGranularity::phase;
    else if (word == "epoch")
      scene.grain = trace::StepGranularity::epoch;
    else if (word == "access" || word == "thread")
      scene.grain = trace::StepGranularity::event;
    else
      reader_.fail(*table.get("grain"),
                   "grain must be \"phase\", \"epoch\", \"access\" or \"thread\"");
  }

  void countFigures(const LessonText& text, int line) {
    for (const LessonText::Part& part : text.parts) figures_ += part.figure ? 1 : 0;
    if (figures_ > kMostLessonFigures)
      reader_.fail(line, 1,
                   "a lesson must have at most " + std::to_string(kMostLessonFigures) +
                       " figures; this one is beyond the limit: make two lessons of it");
  }

  void endParagraph() {
    if (paragraph_.empty()) return;
    LessonText text;
    if (const auto problem = readLessonText(paragraph_, lesson_.runs, text)) fail(*problem);
    countFigures(text, lines_.front().number);
    if (!lesson_.steps.empty()) {
      LessonStep& step = lesson_.steps.back();
      (answering_ ? step.answer : step.text).push_back(std::move(text));
    }
    paragraph_.clear();
    lines_.clear();
  }

  /// Reports a problem in the current paragraph at its line and column in the file.
  void fail(const TextProblem& problem) {
    const ParagraphLine* line = &lines_.front();
    for (const ParagraphLine& one : lines_)
      if (one.start <= problem.at) line = &one;
    reader_.fail(line->number, static_cast<int>(line->column + (problem.at - line->start)),
                 problem.message);
  }

  struct ParagraphLine {
    size_t start = 0;  ///< Offset in the paragraph.
    int number = 0;
    size_t column = 1;  ///< Column of the line's first letter in the file.
  };
  std::string_view text_;
  std::string file_;
  TomlReader reader_;
  Lesson lesson_;
  std::string paragraph_, toml_;
  std::vector<ParagraphLine> lines_;
  int number_ = 0, tomlStart_ = 0;
  int blocks_ = 0;  ///< Number of blocks in the step, or before the first step.
  size_t figures_ = 0;
  bool inToml_ = false, answering_ = false;
};

}  // namespace

Result<Lesson> parseLesson(std::string_view text, const std::string& file) {
  if (text.size() > kLongestLesson)
    return requestError(file + " is too long for a lesson: over 1 MiB");
  return Parser(text, file).parse();
}

int minutesOf(const Lesson& lesson) {
  constexpr std::string_view kMark = "**Time:** ";
  for (const LessonText& paragraph : lesson.steps.front().text)
    for (const LessonText::Part& part : paragraph.parts) {
      const size_t at = part.text.find(kMark);
      if (at == std::string::npos) continue;
      const char* begin = part.text.data() + at + kMark.size();
      uint16_t minutes = 0;
      if (std::from_chars(begin, part.text.data() + part.text.size(), minutes).ec == std::errc())
        return minutes;
    }
  constexpr int kOfStep = 3, kRounding = 5;
  const int minutes = kOfStep * static_cast<int>(lesson.steps.size());
  return (minutes + kRounding - 1) / kRounding * kRounding;
}

Result<Lesson> readLesson(const std::string& file) {
  Result<std::string> text = readTextFile(file);
  if (!text) return text.error();
  return parseLesson(*text, file);
}

}  // namespace tilestep::features
