// SPDX-License-Identifier: Apache-2.0
// The shipped labs are complete, and the answers of their predictions are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "features/footprint/footprint.h"
#include "features/lessons/lesson.h"
#include "features/sums/tree.h"
#include "lab/lab.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "model/choice/barrier_calls.h"
#include "model/files/lab_file.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/features/divergence/traced_here.h"

namespace tilestep::features::shipped_labs_test {

const std::string kHome = support::sourceRoot();

std::vector<Lab> labs() {
  std::vector<Error> errors;
  std::vector<Lab> all = readLabs(kHome, compile::readCatalogue(kHome + "/kernels"), &errors);
  for (const Error& error : errors) ADD_FAILURE() << toString(error);
  return all;
}

Lab labCalled(const std::string& id) {
  for (Lab& lab : labs())
    if (lab.id == id) return lab;
  throw std::runtime_error("there is no lab " + id);
}

/// The right choice of a prediction.
std::string answerOf(const Lab& lab) {
  return lab.prediction.choices.at(static_cast<size_t>(lab.prediction.answer) - 1);
}

TEST(ShippedLabs, AreListedInTheirOrder) {
  std::vector<std::string> ids;
  for (const Lab& lab : labs()) ids.push_back(lab.id);
  EXPECT_EQ(ids,
            (std::vector<std::string>{"divergence", "access_patterns", "timing", "block_shapes",
                                      "cube", "find-the-bug", "two_scenarios", "reductions"}));
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

TEST(ShippedLabs, TheirKernelsCanBeLaunchedAsDescribed) {
  for (const Lab& lab : labs())
    for (const LabKernel& kernel : lab.kernels) {
      const auto source = compile::findKernel(kHome + "/kernels", kernel.name);
      ASSERT_TRUE(source) << kernel.name;
      for (const auto& [sizes, tunables] :
           {std::pair(kernel.sizes, kernel.tunables),
            std::pair(kernel.timedSizes, timedTunablesOf(kernel))}) {
        const auto plan =
            compile::plan(compile::parseKernel(*source).value(), sizes, tunables, Limits{});
        EXPECT_TRUE(plan) << lab.id << ", " << kernel.name << ": " << toString(plan.error());
      }
    }
}

/// The number of additions that the first warp of a lab's kernel executes.
size_t additionsOf(const LabKernel& kernel) {
  const auto traced = tracedHere(kernel.name, kernel.sizes, kernel.tunables);
  if (!traced) return 0;
  const trace::BlockTrace& recording = traced->replay->recording();
  size_t count = 0;
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    count += event.warp == 0 && event.operation == trace::Operation::accumulate ? 1 : 0;
  }
  return count;
}

TEST(ShippedLabs, DivergencesPredictionAgreesWithTheTrace) {
  const Lab lab = labCalled("divergence");
  const size_t apart = additionsOf(lab.kernels[0]), agreed = additionsOf(lab.kernels[1]);
  ASSERT_GT(agreed, 0U);
  EXPECT_EQ(apart, 2 * agreed);
  EXPECT_EQ(answerOf(lab), "twice as many");
}

TEST(ShippedLabs, ReductionsPredictionAgreesWithTheTrace) {
  const Lab lab = labCalled("reductions");
  const LabKernel& first = lab.kernels.front();
  const auto traced = tracedHere(first.name, first.sizes, first.tunables);
  ASSERT_TRUE(traced);
  const SumTree tree = sumTreeOf(*traced);
  ASSERT_GT(tree.rows.size(), 4U);
  EXPECT_EQ(tree.rows[4].threads(), 4U) << "the fourth round, behind the loads";
  EXPECT_EQ(tree.rows[4].warps(), 2U);
  EXPECT_EQ(answerOf(lab), "both");
}

/// The recorded time of the kernel at the sizes at which its lab shows a time; nothing if there is
/// none.
std::optional<double> recordedMs(const LabKernel& kernel) {
  const auto recording = lab::readRecording(kHome + "/assets/recordings/nvidia-h200.tsrec");
  const auto source = compile::findKernel(kHome + "/kernels", kernel.name);
  if (!recording || !source) return std::nullopt;
  const auto result =
      lab::recordedResult(*recording, *source, kernel.timedSizes, timedTunablesOf(kernel));
  if (!result || !result->measurement) return std::nullopt;
  return result->measurement->medianMs;
}

TEST(ShippedLabs, BlockShapesPredictionIsTheFastestInTheRecording) {
  const Lab lab = labCalled("block_shapes");
  std::string fastest;
  std::optional<double> least;
  for (const LabKernel& kernel : lab.kernels) {
    if (std::ranges::find(lab.prediction.choices, kernel.label) == lab.prediction.choices.end())
      continue;
    const auto ms = recordedMs(kernel);
    ASSERT_TRUE(ms) << kernel.label;
    if (least && *ms >= *least) continue;
    least = ms;
    fastest = kernel.label;
  }
  EXPECT_EQ(answerOf(lab), fastest);
}

TEST(ShippedLabs, AccessPatternsPredictionAgreesWithTheTrace) {
  const Lab lab = labCalled("access_patterns");
  const LabKernel& kernel = lab.kernels.front();
  const auto traced = tracedHere(kernel.name, kernel.sizes, kernel.tunables);
  ASSERT_TRUE(traced);
  EXPECT_EQ(lab.prediction.answer,
            static_cast<double>(footprintOf(*traced).requests.front().counts.sectors));
}

TEST(ShippedLabs, FindTheBugsPredictionIsTheGuardThatItsSizesDoNotNeed) {
  const Lab lab = labCalled("find-the-bug");
  // The block comes first, then the sizes. Every thread of every block has an element.
  std::vector<int> numbers;
  std::istringstream words(lab.prediction.question);
  for (std::string word; words >> word;)
    if (const int number = std::atoi(word.c_str()); number > 0) numbers.push_back(number);
  ASSERT_EQ(numbers.size(), 4U) << lab.prediction.question;
  for (const int size : numbers) EXPECT_EQ(size % numbers.front(), 0) << size;
  EXPECT_EQ(answerOf(lab), "a missing guard at the edge");
}

/// The prediction does not ask for a count. If the times were measured, they agree with the answer:
/// without synchronisation, the clock shows less than the kernel's time.
TEST(ShippedLabs, TimingTimesAShortAndALongLaunchInSeveralWays) {
  const Lab lab = labCalled("timing");
  EXPECT_TRUE(lab.timings);
  EXPECT_EQ(lab.stage, Stage::timing);
  EXPECT_EQ(std::ranges::count(labs(), true, &Lab::timings), 1) << "its stage shows one lab";
  for (const LabKernel& kernel : lab.kernels) EXPECT_FALSE(kernel.timedSizes.empty());
  EXPECT_EQ(answerOf(lab), "that of the long kernel");
  const LabKernel& longest = lab.kernels.back();
  const auto recording =
      valueOrThrow(lab::readRecording(kHome + "/assets/recordings/nvidia-h200.tsrec"));
  const auto source = compile::findKernel(kHome + "/kernels", longest.name);
  ASSERT_TRUE(source);
  const auto result =
      lab::recordedResult(recording, *source, longest.timedSizes, timedTunablesOf(longest));
  if (!result || result->timings.empty()) return;
  const device::NamedValue* clock = find(result->timings, "clock-unsynchronized");
  const device::NamedValue* repeated = find(result->timings, "repeated");
  ASSERT_TRUE(clock != nullptr && repeated != nullptr);
  EXPECT_LT(clock->median, repeated->median);
}

/// The number of elements of the first operand that the kernel's block loads.
size_t elementsOfM(const LabKernel& kernel) {
  const auto traced = tracedHere(kernel.name, kernel.sizes, kernel.tunables);
  if (!traced) return 0;
  std::set<uint32_t> elements;
  const trace::BlockTrace& trace = traced->replay->recording();
  for (size_t i = 0; i < trace.size(); ++i) {
    const trace::TraceEvent event = trace.event(i);
    if (event.operation == trace::Operation::load && event.space == trace::Space::global &&
        event.buffer == 0)
      elements.insert(event.offsets.begin(), event.offsets.end());
  }
  return elements.size();
}

TEST(ShippedLabs, TheCubesPredictionAgreesWithTheTraces) {
  const Lab lab = labCalled("cube");
  for (const LabKernel& kernel : lab.kernels)
    EXPECT_EQ(elementsOfM(kernel), 8U * 8 / 2) << kernel.name;
  EXPECT_EQ(answerOf(lab), "half of it");
}

}  // namespace tilestep::features::shipped_labs_test
