// SPDX-License-Identifier: Apache-2.0
// The lessons that come with the program: every figure is available, every answer is right, and no
// text contains a typed result of a run. Kernels run in the interpreter, as in a window's worker.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <thread>

#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "features/lessons/diagnosis.h"
#include "features/lessons/lesson_figures.h"
#include "lab/devices/device_file.h"
#include "lab/lab.h"
#include "support/lesson_answers.h"
#include "support/source_root.h"

namespace tilestep::features::shipped_lessons_test {

namespace fs = std::filesystem;

const std::string kHome = support::sourceRoot();

std::vector<std::string> files() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(fs::path(kHome) / "assets" / "lessons"))
    if (entry.path().extension() == ".md") all.push_back(entry.path().string());
  std::sort(all.begin(), all.end());
  return all;
}

std::string stemOf(const std::string& file) {
  return fs::path(file).stem().string();
}

bool never() {
  return false;
}

/// A lesson whose runs have completed.
class ShippedLesson : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    interpreter = std::make_unique<lab::Lab>(lab::Options{kHome, "", 1});
  }
  static void TearDownTestSuite() { interpreter.reset(); }
  void SetUp() override {
    const auto compiler = interpreter->compiler();
    ASSERT_TRUE(compiler) << toString(compiler.error());
    lesson = std::make_shared<const Lesson>(readLesson(GetParam()).value());
    const auto h200 = lab::readDeviceFile(kHome + "/assets/devices/nvidia-h200.toml");
    ASSERT_TRUE(h200);
    figures.show(h200->info());
    figures.open(lesson, kHome, [](const std::string& name) {
      return isLibraryProduct(name) ? compile::libraryKernel(name)
                                    : compile::findKernel(kHome + "/kernels", name);
    });
    while (const Request* wanted = figures.wanted()) {
      const auto result = interpreter->run(*wanted->experiment, never, nullptr);
      result ? figures.accept(*result) : figures.acceptError(toString(result.error()));
    }
    while (figures.reads()) {
      figures.poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  static std::unique_ptr<lab::Lab> interpreter;
  std::shared_ptr<const Lesson> lesson;
  LessonFigures figures;
};
std::unique_ptr<lab::Lab> ShippedLesson::interpreter;

TEST_P(ShippedLesson, HasEveryFigure) {
  for (size_t i = 0; i < lesson->steps.size(); ++i) {
    const auto filled = figures.filled(i);
    EXPECT_FALSE(filled->coming) << lesson->steps[i].title;
    EXPECT_EQ(filled->missing, "") << lesson->steps[i].title;
  }
}

TEST_P(ShippedLesson, AnswersMatchIndependentComputations) {
  for (const LessonStep& step : lesson->steps) {
    if (!step.ask) continue;
    const std::string right = support::lessonAnswer(stemOf(GetParam()) + "/" + step.slug);
    EXPECT_NE(right, "") << step.slug << ": add its answer to lesson_answers.cpp";
    const RightAnswer answer = figures.answerTo(*step.ask);
    ASSERT_TRUE(answer.value) << step.slug << ": " << answer.value.error().message;
    ASSERT_TRUE(*answer.value) << step.slug;
    std::string told = answer.text;
    if (step.ask->choices.empty()) std::erase(told, ',');  // Separators of thousands.
    EXPECT_EQ(told, right) << step.slug;
  }
}

/// Every question should have a hint, and every wrong choice an explanation.
TEST_P(ShippedLesson, DiagnosesWrongAnswers) {
  for (size_t i = 0; i < lesson->steps.size(); ++i) {
    if (!lesson->steps[i].ask) continue;
    SCOPED_TRACE(lesson->steps[i].title);
    const auto filled = figures.filled(i);
    ASSERT_TRUE(filled->right.value && *filled->right.value);
    EXPECT_NE(filled->hint, "");
    std::vector<double> wrong;
    for (const FilledMisconception& one : filled->wrong) {
      ASSERT_TRUE(one.answer);
      EXPECT_FALSE(isAnswer(*one.answer, **filled->right.value)) << one.because;
      EXPECT_EQ(diagnosisOf(*one.answer, **filled->right.value, *filled), one.because)
          << "an earlier explanation covers the same answer";
      wrong.push_back(*one.answer);
    }
    EXPECT_GE(wrong.size(), filled->choices.empty() ? 2 : filled->choices.size() - 1);
  }
}

/// The origin of recorded figures includes the day.
TEST_P(ShippedLesson, StatesTheOriginOfItsFigures) {
  bool recorded = false, dated = false;
  for (const LessonRun& run : lesson->runs) recorded |= !run.recording.empty();
  for (size_t i = 0; i < lesson->steps.size(); ++i)
    dated |= std::regex_search(
        figures.filled(i)->origin,
        std::regex(R"(recorded on NVIDIA H200( no\. \d+| \(machine unknown\))?, 2026-)"));
  EXPECT_EQ(recorded, dated);
}

INSTANTIATE_TEST_SUITE_P(Each, ShippedLesson, testing::ValuesIn(files()), [](const auto& one) {
  std::string name = stemOf(one.param);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

struct Typed {
  const char* lesson;
  const char* text;
  const char* why;
};
/// Permitted numbers with a unit, a percentage or a factor that are not results of a run.
constexpr Typed kTyped[] = {
    {"1-why-tile", "1555 GB/s", "the A100's data sheet"},
    {"1-why-tile", "19.5 TFLOP/s", "the A100's data sheet"},
    {"1-why-tile", "4.8 TB/s", "the H200's data sheet"},
    {"1-why-tile", "66.9 TFLOP/s", "the H200's data sheet"},
    {"5-what-it-buys", "86.4 GB/s", "the textbook's, of the GeForce 8800 GTX"},
    {"5-what-it-buys", "367 GFLOPS", "the textbook's, of the GeForce 8800 GTX"},
    {"5-what-it-buys", "1.35 GHz", "published, of the GeForce 8800 GTX"},
    {"5-what-it-buys", "16 times", "the rule that the question is about, and a wrong choice"},
    {"5-what-it-buys", "8 times", "a wrong choice"},
    {"5-what-it-buys", "4 times", "the rule that the question is about, and wrong choices"},
    {"5-what-it-buys", "1.5 times", "a choice; a test holds it against the recording"},
    {"8-block-shapes", "49.80 %", "the text's, by nvprof"},
    {"8-block-shapes", "49.96 %", "the text's, by nvprof"},
    {"8-block-shapes", "100 %", "the text's, by nvprof"},
    {"8-block-shapes", "35.9 GB/s", "the text's, by nvprof"},
    {"8-block-shapes", "56.5 GB/s", "the text's, by nvprof"},
    {"8-block-shapes", "85.2 GB/s", "the text's, by nvprof"},
    {"8-block-shapes", "94.7 GB/s", "the text's, by nvprof"},
    {"8-block-shapes", "38 ms", "the text's"},
    {"8-block-shapes", "46 ms", "the text's"},
    {"8-block-shapes", "51 ms", "the text's"},
    {"8-block-shapes", "60 ms", "the text's"},
};

/// The text without figures and without blocks of front matter, except for questions.
std::string withoutFigures(const std::string& file) {
  std::string text;
  const Lesson lesson = readLesson(file).value();
  const auto add = [&](const LessonText& one) {
    for (const LessonText::Part& part : one.parts) text += part.text + (part.figure ? "#" : "");
    text += "\n";
  };
  for (const LessonStep& step : lesson.steps) {
    for (const LessonText& one : step.text) add(one);
    for (const LessonText& one : step.answer) add(one);
    if (step.ask) add(step.ask->question);
    if (!step.ask) continue;
    for (const LessonText& one : step.ask->choices) add(one);
    for (const Misconception& one : step.ask->wrong) add(one.because);
    if (step.ask->hint) add(*step.ask->hint);
  }
  return text;
}

TEST(ShippedLessons, ContainNoTypedResultOfARun) {
  const std::regex result(
      R"([0-9][0-9.,]*\*{0,2} ?(%|times|[kMGT]?FLOP/?S?|[kMGT]FLOP/s|FLOP/B|[kMGT]B(/s)?|[mµn]s|[MG]Hz)(?![A-Za-z]))",
      std::regex::icase);
  std::map<const Typed*, int> used;
  for (const std::string& file : files()) {
    const std::string text = withoutFigures(file);
    for (auto at = std::sregex_iterator(text.begin(), text.end(), result);
         at != std::sregex_iterator(); ++at) {
      const auto typed = std::ranges::find_if(kTyped, [&](const Typed& one) {
        return stemOf(file) == one.lesson && at->str() == one.text;
      });
      EXPECT_NE(typed, std::end(kTyped)) << file << " types a result: " << at->str();
      if (typed != std::end(kTyped)) ++used[typed];
    }
  }
  for (const Typed& one : kTyped)
    EXPECT_TRUE(used.contains(&one)) << one.lesson << " no longer contains " << one.text;
}

/// A thread's accesses to a matrix in a traced block, from the recorded offsets.
struct Access {
  uint32_t row = 0, column = 0;
};
std::vector<Access> accessesOf(const trace::BlockTrace& recording, trace::Operation operation,
                               int buffer, uint32_t lane, uint32_t columns) {
  std::vector<Access> all;
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    const bool fits = event.operation == operation && event.buffer == buffer &&
                      event.space == trace::Space::global && (event.mask >> lane & 1) != 0;
    if (!fits) continue;
    const auto place = static_cast<size_t>(std::popcount(event.mask & ((1U << lane) - 1)));
    const uint32_t element = event.offsets[place] / 4;
    all.push_back({element / columns, element % columns});
  }
  return all;
}

/// Checks the two answers about a single thread's accesses against the trace.
TEST(ShippedLessons, AnswersMatchTheTrace) {
  lab::Lab interpreter({kHome, "", 1});
  const auto compiler = interpreter.compiler();
  ASSERT_TRUE(compiler) << toString(compiler.error());
  lab::Experiment experiment;
  experiment.source = compile::findKernel(kHome + "/kernels", "matmul_tiled").value();
  experiment.sizes = {{"m", 4}, {"n", 4}, {"k", 4}};
  experiment.tunables = {{"TILE_WIDTH", 2}};
  experiment.device = "simt";
  experiment.measure = false;
  constexpr uint32_t kThread = 1;  // (1, 0)
  const auto traceOf = [&](const Dim3& block) {
    experiment.traceBlock = block;
    return *interpreter.run(experiment, never, nullptr).value().trace;
  };
  const auto stores = accessesOf(traceOf({0, 1, 0}), trace::Operation::store, 2, kThread, 4);
  ASSERT_EQ(stores.size(), 1U);
  EXPECT_EQ(std::to_string(stores.front().row),
            support::lessonAnswer("2-whose-element/from-a-thread-to-its-element"));
  const auto loads = accessesOf(traceOf({0, 0, 0}), trace::Operation::load, 0, kThread, 4);
  ASSERT_EQ(loads.size(), 2U) << "one per phase";
  EXPECT_EQ("M[" + std::to_string(loads[1].row) + "][" + std::to_string(loads[1].column) + "]",
            support::lessonAnswer("2-whose-element/what-does-it-load"));
}

}  // namespace tilestep::features::shipped_lessons_test
