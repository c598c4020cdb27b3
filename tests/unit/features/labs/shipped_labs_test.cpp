// SPDX-License-Identifier: Apache-2.0
// The labs that come with the program: all is there, and their predictions' answers are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "features/lessons/lesson.h"
#include "model/files/lab_file.h"
#include "support/source_root.h"
#include "unit/features/divergence/traced_here.h"

namespace tilestep::model {
namespace shipped_labs_test {

const std::string kHome = support::sourceRoot();

std::vector<Lab> labs() {
  std::vector<Error> errors;
  std::vector<Lab> all = readLabs(kHome, compile::readCatalogue(kHome + "/kernels"), &errors);
  for (const Error& error : errors) ADD_FAILURE() << toString(error);
  return all;
}

TEST(ShippedLabs, AreListedInTheirOrder) {
  std::vector<std::string> ids;
  for (const Lab& lab : labs()) ids.push_back(lab.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"divergence", "cube"}));
}

TEST(ShippedLabs, LessonsBeginWithTheFirstKernelOnTheLabsStage) {
  for (const Lab& lab : labs()) {
    const Result<Lesson> lesson = readLesson(lessonFile(kHome, lab.lesson));
    ASSERT_TRUE(lesson) << toString(lesson.error());
    const LessonStep& first = lesson->steps.front();
    EXPECT_EQ(first.scene.kernel, lab.kernels.front().name) << lab.id;
    EXPECT_EQ(first.scene.tunables, lab.kernels.front().tunables) << lab.id;
    EXPECT_EQ(first.scene.sizes, lab.kernels.front().sizes) << lab.id;
    EXPECT_EQ(first.stage, nameOf(lab.stage)) << lab.id;
    EXPECT_EQ(lesson->title, lab.title);
    EXPECT_TRUE(first.ask) << "the lesson asks before it shows";
  }
}

TEST(ShippedLabs, TheirKernelsCanBeLaunchedAsTheySay) {
  for (const Lab& lab : labs())
    for (const LabKernel& kernel : lab.kernels) {
      const auto source = compile::findKernel(kHome + "/kernels", kernel.name);
      ASSERT_TRUE(source) << kernel.name;
      const auto plan = compile::plan(compile::parseKernel(*source).value(), kernel.sizes,
                                      kernel.tunables, Limits{});
      EXPECT_TRUE(plan) << lab.id << ", " << kernel.name << ": " << toString(plan.error());
    }
}

/// Additions that the first warp of a lab's kernel executes.
size_t additionsOf(const LabKernel& kernel) {
  const auto traced = tracedHere(kernel.name, kernel.sizes, kernel.tunables);
  if (!traced) return 0;
  const trace::Recording& recording = traced->replay->recording();
  size_t count = 0;
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    count += event.warp == 0 && event.operation == trace::Operation::accumulate ? 1 : 0;
  }
  return count;
}

TEST(ShippedLabs, DivergencesPredictionIsWhatTheTraceShows) {
  const std::vector<Lab> all = labs();
  const auto lab = std::ranges::find(all, "divergence", &Lab::id);
  ASSERT_NE(lab, all.end());
  const size_t apart = additionsOf(lab->kernels[0]), agreed = additionsOf(lab->kernels[1]);
  ASSERT_GT(agreed, 0U);
  EXPECT_EQ(apart, 2 * agreed);
  EXPECT_EQ(lab->prediction.choices[static_cast<size_t>(lab->prediction.answer) - 1],
            "twice as many");
}

/// Updates of sums by all threads of a lab's kernel's block.
uint64_t multiplyAddsOf(const LabKernel& kernel) {
  const auto traced = tracedHere(kernel.name, kernel.sizes, kernel.tunables);
  return traced ? traced->whole.accumulates : 0;
}

TEST(ShippedLabs, TheCubesPredictionIsWhatTheTracesShow) {
  const std::vector<Lab> all = labs();
  const auto lab = std::ranges::find(all, "cube", &Lab::id);
  ASSERT_NE(lab, all.end());
  const uint64_t tiled = multiplyAddsOf(lab->kernels[0]), naive = multiplyAddsOf(lab->kernels[1]);
  EXPECT_EQ(tiled, 4U * 4 * 8);
  EXPECT_EQ(tiled, naive);
  EXPECT_EQ(lab->prediction.choices[static_cast<size_t>(lab->prediction.answer) - 1],
            "as many as a naive block");
}

}  // namespace shipped_labs_test
}  // namespace tilestep::model
