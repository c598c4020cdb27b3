// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "compile/program_source.h"
#include "features/predicted_time/view.h"
#include "features/predicted_time/wanted.h"
#include "features/registry.h"
#include "model/model.h"
#include "support/source_root.h"
#include "unit/model/fake_client.h"

namespace tilestep::features::predicted_time_test {

const Job kJob{"predicted_time", Urgency::count};

/// The naive product as a launch of a program, with the interpreter and the shipped recording.
class PredictedTime : public ::testing::Test {
 protected:
  PredictedTime() : model(optionsOf()) {
    for (std::unique_ptr<Feature>& each : features::makeFeatures())
      if (each->id() == PredictedTimeView::kFeature) feature = std::move(each);
    model.jobs.connect(std::make_unique<FakeClient>(log));
    compile::CatalogueEntry entry;
    entry.source = compile::findKernel(support::sourceRoot() + "/kernels", "matmul_naive").value();
    entry.spec = compile::parseKernel(entry.source).value();
    entry.source.launch = std::make_shared<const compile::ProgramLaunch>();
    name = compile::nameOf(entry.source);
    model.kernels.addLaunch(entry);
    model.readKernels();
    useDevices(false);
    choose(name);
  }
  static SessionOptions optionsOf() {
    SessionOptions options;
    options.home = support::sourceRoot();
    return options;
  }
  void useDevices(bool withGpu) {
    Devices devices(1);
    devices[0].id = "simt";
    if (withGpu) {
      devices[0].id = "cuda:0";
      devices[0].measures = true;
    }
    devices.emplace_back().id = "recorded:nvidia-h200";
    devices[1].measures = true;
    devices[1].recordedOn = "2026-11-28";
    model.devices = std::make_shared<const Devices>(devices);
  }
  void choose(const std::string& kernel) {
    model.choice.kernel = kernel;
    model.resolveChoice();
    feature->want(model);
  }
  /// Null if there is no view.
  std::shared_ptr<const PredictedTimeView> view() {
    const Snapshot shared;
    const RooflineMarks marks;
    return std::static_pointer_cast<const PredictedTimeView>(
        feature->view({model, *model.resolved, shared, marks}));
  }
  void answer(worker::Reply reply) {
    const lab::Experiment experiment = predictedExperiment(*model.resolved).value();
    feature->accept({std::string(kJob.name), false, Request(experiment).key, std::move(reply)},
                    model);
    feature->want(model);
    EXPECT_FALSE(model.jobs.waitsOrRuns(kJob)) << "not requested again";
    while (feature->works()) feature->poll(model);
  }

  std::shared_ptr<FakeClient::Log> log = std::make_shared<FakeClient::Log>();
  Model model;
  std::unique_ptr<Feature> feature;
  std::string name;
};

TEST_F(PredictedTime, ChosenLaunchIsFullyCountedByTheInterpreter) {
  const auto experiment = predictedExperiment(*model.resolved);
  ASSERT_TRUE(experiment);
  EXPECT_EQ(experiment->device, "simt");
  EXPECT_TRUE(experiment->counters && experiment->traceBlock && !experiment->blockAlone);
  EXPECT_FALSE(experiment->measure || experiment->check);
  EXPECT_TRUE(model.jobs.waitsOrRuns(kJob));
  ASSERT_TRUE(view());
  EXPECT_FALSE(view()->range) << "not known yet";
}

TEST_F(PredictedTime, ExistsOnlyForALaunchAndWithoutAGpu) {
  choose("matmul_tiled");
  EXPECT_FALSE(model.jobs.waitsOrRuns(kJob));
  EXPECT_FALSE(view());
  choose(name);
  EXPECT_TRUE(model.jobs.waitsOrRuns(kJob));
  useDevices(true);
  choose(name);
  EXPECT_FALSE(model.jobs.waitsOrRuns(kJob));
  EXPECT_FALSE(view());
}

TEST_F(PredictedTime, AnswerBecomesARangeOrAReasonOnTheRecordedGpu) {
  lab::RunResult result;
  result.plan = *model.resolved->plan;
  trace::GridCounters& counters = result.counters.emplace();
  counters.total.globalLoad = {1 << 20, 1 << 5, 1 << 17, 1 << 22, 1 << 22};
  counters.total.warpInstructions = 1 << 18;
  result.trace = trace::toy::naive(16, 4, 4);
  answer({1, lab::shared(result)});
  ASSERT_TRUE(view() && view()->range);
  EXPECT_EQ(view()->range->on, "NVIDIA H200, recorded 2026-11-28");
  EXPECT_FALSE(view()->range->limit.empty()) << view()->range->why;
  EXPECT_EQ(view(), view()) << "computed once";
}

TEST_F(PredictedTime, ErrorIsTheReasonUntilTheLaunchIsChosenAgain) {
  answer({1, workError("The program has no such launch.")});
  ASSERT_TRUE(view() && view()->range);
  EXPECT_EQ(view()->range->why, "The program has no such launch.");
  choose("matmul_tiled");
  choose(name);
  EXPECT_TRUE(model.jobs.waitsOrRuns(kJob));
  ASSERT_TRUE(view());
  EXPECT_FALSE(view()->range);
}

TEST_F(PredictedTime, WithoutARecordingThereIsAReason) {
  Devices devices(1);
  devices[0].id = "simt";
  model.devices = std::make_shared<const Devices>(devices);
  choose(name);
  answer({1, lab::shared({})});
  ASSERT_TRUE(view() && view()->range);
  EXPECT_EQ(view()->range->why, "There is no recording of a GPU.");
}

}  // namespace tilestep::features::predicted_time_test
