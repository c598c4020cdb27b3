// SPDX-License-Identifier: Apache-2.0
// Predictions for launches of the shipped recording, made as for a stranger's program: compiled by
// clang, counted and traced on the interpreter, without registers and hardware counters. They are
// stored beside the recording with the measured times, and show how reliable predictions are.
// `test_predictions --remake` stores new ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/percent.h"
#include "compile/kernel.h"
#include "lab/figures.h"
#include "lab/lab.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "model/files/prediction_file.h"
#include "model/predicted_range.h"
#include "support/environment.h"
#include "support/own_process.h"
#include "support/remake.h"
#include "support/results.h"
#include "support/skips.h"
#include "support/source_root.h"

namespace tilestep::model::predictions_test {

const support::OwnProcess kOwnProcess{"ShippedPredictions"};

constexpr const char* kRecording = "nvidia-h200";
/// Only recorded launches that the interpreter can run in a few seconds are used, judged by the
/// instructions of all threads that the GPU counted. Up to kMostPoints of a kernel are used, evenly
/// from its smallest to its largest; if all launches of a kernel are larger, its smallest is used.
constexpr uint64_t kMostInstructions = 2'000'000'000, kMostOfSmallest = 10'000'000'000;
constexpr size_t kMostPoints = 14;

struct Chosen {
  const lab::RecordedPoint* point = nullptr;
  compile::KernelSource source;
};

uint64_t instructionsOf(const lab::RecordedPoint* point) {
  return point->counters->total.threadInstructions;
}

/// The launches of one kernel. Leaves out cuBLAS, whose instructions are unknown, and kernels that
/// copy asynchronously, for which nothing is predicted.
void choose(const lab::DeviceRecording& recording, const compile::KernelSource& source,
            std::vector<Chosen>& to) {
  const auto spec = compile::parseKernel(source);
  if (!spec || source.text.find("cp.async") != std::string::npos) return;
  const uint64_t code = lab::codeHashOf(source);
  std::vector<const lab::RecordedPoint*> points;
  for (const lab::RecordedPoint& point : recording.points) {
    const bool isTimed = point.measurement && point.counters;
    if (isTimed && lab::isPointOf(recording, point, *spec, code)) points.push_back(&point);
  }
  std::ranges::stable_sort(points, {}, instructionsOf);
  const auto isSmall = [](const auto* point) { return instructionsOf(point) <= kMostInstructions; };
  const auto large = std::ranges::find_if_not(points, isSmall);
  if (large != points.begin())
    points.erase(large, points.end());
  else if (!points.empty() && instructionsOf(points.front()) <= kMostOfSmallest)
    points.resize(1);
  else
    return;
  const size_t count = std::min(points.size(), kMostPoints);
  for (size_t i = 0; i < count; ++i)
    to.push_back({points[count == 1 ? 0 : i * (points.size() - 1) / (count - 1)], source});
}

Result<lab::RunResult> interpreted(lab::Lab& runner, const Chosen& chosen) {
  lab::Experiment experiment;
  experiment.source = chosen.source;
  experiment.sizes = chosen.point->sizes;
  experiment.tunables = chosen.point->tunables;
  experiment.device = "simt";
  experiment.measure = false;
  experiment.counters = true;
  experiment.traceBlock = Dim3{0, 0, 0};
  experiment.timeoutSeconds = 600;
  return runner.run(experiment, {}, {});
}

/// Prints the model's errors by the limiting resource: docs/measurements/predictions.md.
void print(const PredictionTable& table) {
  std::set<std::string> limits;
  for (const RecordedPrediction& point : table.points) limits.insert(point.predicted.limit);
  for (const std::string& limit : limits) {
    const ModelError model = modelErrorOf(table, limit);
    std::printf("%-20s %3zu launches of %2zu kernels: %s\n", limit.c_str(), model.points,
                model.kernels, model.error ? wholePercent(*model.error).c_str() : "too few");
  }
}

TEST(ShippedPredictions, EqualTheModels) {
  const support::Environment compiler("TILESTEP_COMPILER", "clang");
  const std::string home = support::sourceRoot();
  const auto recording = lab::readRecording(lab::recordingFile(home, kRecording));
  ASSERT_TRUE(recording && recording->ceilings);
  std::vector<Chosen> all;
  for (const lab::RecordedKernel& kernel : recording->kernels)
    if (const auto source = compile::findKernel(home + "/kernels", kernel.name))
      choose(*recording, *source, all);
  lab::Lab runner({home, "", 1});
  PredictionTable table{recording->began, "", {}};
  for (const Chosen& chosen : all) {
    const std::string tunables = lab::pointText({}, chosen.point->tunables);
    const std::string sizes = lab::pointText(chosen.point->sizes, {});
    const std::string name = compile::nameOf(chosen.source);
    const Result<lab::RunResult> result = interpreted(runner, chosen);
    ASSERT_TRUE(result) << name << " " << sizes << ": " << toString(result.error());
    table.compiler = result->compiler.name + " " + result->compiler.version;
    const auto span =
        predictedSpan(*result, launchWorkOf(*result), recording->device, *recording->ceilings);
    if (span)
      table.points.push_back(
          {name, tunables, sizes, *span, chosen.point->measurement->medianMs / 1e3});
    else
      std::printf("%s, %s: %s\n", name.c_str(), sizes.c_str(), span.error().message.c_str());
  }
  print(table);
  const std::string file = predictionFile(home, kRecording);
  if (support::remakes()) {
    ASSERT_TRUE(writeFileAtomically(file, predictionsText(table)));
    return;
  }
  const std::string kept = valueOrThrow(readTextFile(file));
  const auto parsed = valueOrThrow(parsePredictions(kept, file));
  if (parsed.compiler != table.compiler)
    GTEST_SKIP() << support::because(support::kOtherClang, "the file is of " + parsed.compiler +
                                                               ", and this is " + table.compiler);
  EXPECT_EQ(predictionsText(table), kept);
}

}  // namespace tilestep::model::predictions_test
