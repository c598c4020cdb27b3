// SPDX-License-Identifier: Apache-2.0
#include "features/program/launch_steps.h"

#include <gtest/gtest.h>

#include "compile/program_source.h"
#include "lab/launch/launch_spec.h"
#include "model/model.h"
#include "unit/model/fake_client.h"

namespace tilestep::features::launch_steps_test {

const model::Job kJob{"program", model::Urgency::scene};

compile::KernelSource launchOf(uint64_t number, uint64_t run = 0) {
  compile::ProgramLaunch launch;
  launch.program.path = "/home/a/hw1.cu";
  launch.number = number;
  launch.run = run;
  compile::KernelSource source;
  source.path = launch.program.path;
  source.text = "__global__ void add() {}\n";
  source.launch = std::make_shared<const compile::ProgramLaunch>(launch);
  return source;
}

/// A program with launches 1 and 2, known by name.
class ShownLaunch : public testing::Test {
 protected:
  ShownLaunch() : model(model::SessionOptions()) {
    model.jobs.connect(std::make_unique<model::FakeClient>(log));
    lab::ProgramStep step;
    step.kind = lab::ProgramStepKind::launch;
    step.name = "add<256>";
    for (step.launch = 1; step.launch <= 2; ++step.launch) summary.steps.push_back(step);
  }
  /// Whether the answer was accepted.
  bool answer(worker::Reply reply) {
    return steps.accept({std::string(kJob.name), false, wanted(), std::move(reply)}, model,
                        summary);
  }
  /// The key of the last request to the worker.
  [[nodiscard]] std::string wanted() const {
    return log->runs.empty() ? "" : model::Request(log->runs.back().experiment).key;
  }
  void record(uint64_t number, const LaunchSteps::Goal& goal = {}) {
    steps.show(model, launchOf(number), goal);
    steps.want(model);
    (void)model.jobs.poll(1);
    ASSERT_TRUE(answer({1, traced()}));
  }
  static lab::ResultPointer traced() {
    lab::RunResult result;
    result.plan.launches.emplace_back().entry = "_Z3addv";
    return lab::shared(std::move(result));
  }

  std::shared_ptr<model::FakeClient::Log> log = std::make_shared<model::FakeClient::Log>();
  model::Model model;
  lab::ProgramSummary summary;
  LaunchSteps steps;
};

TEST_F(ShownLaunch, IsRecordedAndThenChosenLikeAKernel) {
  steps.show(model, launchOf(2), {});
  EXPECT_EQ(steps.coming(), 2U);
  EXPECT_EQ(steps.shown(), 0U);
  steps.want(model);
  EXPECT_TRUE(model.jobs.waitsOrRuns(kJob));
  (void)model.jobs.poll(1);
  ASSERT_TRUE(answer({1, traced()}));
  EXPECT_EQ(steps.coming(), 0U);
  EXPECT_EQ(steps.shown(), 2U);
  EXPECT_EQ(model.choice.kernel, "hw1 #2");
  const compile::CatalogueEntry* entry = model::findEntry(*model.kernels.catalogue(), "hw1 #2");
  ASSERT_TRUE(entry != nullptr && entry->spec);
  EXPECT_EQ(entry->spec->title, "add<256>");
}

TEST_F(ShownLaunch, RecordedLaunchIsShownImmediatelyUntilTheProgramRunsAgain) {
  record(1);
  record(2);
  steps.show(model, launchOf(1), {});
  EXPECT_EQ(steps.shown(), 1U);
  EXPECT_EQ(steps.coming(), 0U);
  EXPECT_EQ(model.choice.kernel, "hw1 #1");
  steps.show(model, launchOf(1, 1), {});
  EXPECT_EQ(steps.coming(), 1U);
  EXPECT_EQ(steps.shown(), 1U) << "the earlier scene stays until the new one is recorded";
}

TEST_F(ShownLaunch, ErrorBecomesANoteAndTheShownLaunchStays) {
  record(1);
  steps.show(model, launchOf(2), {});
  steps.want(model);
  (void)model.jobs.poll(2);
  ASSERT_TRUE(answer({1, workError("The program has no such launch.")}));
  EXPECT_EQ(steps.note(), "The program has no such launch.");
  EXPECT_EQ(steps.coming(), 0U);
  EXPECT_EQ(steps.shown(), 1U);
  EXPECT_EQ(model.choice.kernel, "hw1 #1");
  steps.show(model, launchOf(1), {});
  EXPECT_EQ(steps.note(), "");
}

TEST_F(ShownLaunch, AnswerToAnotherRequestIsIgnored) {
  EXPECT_FALSE(answer({1, traced()})) << "nothing was requested";
  steps.show(model, launchOf(1), {});
  steps.want(model);
  (void)model.jobs.poll(1);
  const std::string earlier = wanted();
  steps.show(model, launchOf(2), {});
  steps.want(model);
  EXPECT_FALSE(
      steps.accept({std::string(kJob.name), false, earlier, {1, traced()}}, model, summary));
  steps.stop();
  steps.want(model);
  EXPECT_FALSE(model.jobs.waitsOrRuns(kJob));
}

TEST_F(ShownLaunch, GoesToTheRequestedBlockAndStep) {
  record(1);
  LaunchSteps::Goal goal;
  goal.block = Dim3{2, 1, 0};
  goal.thread = Dim3{5, 0, 0};
  goal.epoch = 3;
  goal.isAsked = true;
  steps.show(model, launchOf(1), goal);
  EXPECT_EQ(model.choice.block, (Dim3{2, 1, 0}));
  ASSERT_TRUE(model.place);
  EXPECT_EQ(model.place->grain, trace::StepGranularity::epoch);
  EXPECT_EQ(model.place->step, 3U);
  EXPECT_EQ(model.commands.back(), model::command("threads.choose", Dim3{5, 0, 0}));
}

TEST_F(ShownLaunch, FaultyLaunchGoesToTheFaultsStepOrToTheEnd) {
  record(1);
  LaunchSteps::Goal goal;
  goal.isAsked = goal.isAtEnd = true;
  goal.epoch = 3;
  steps.show(model, launchOf(1), goal);
  EXPECT_EQ(model.place->step, 3U);
  goal.epoch.reset();
  steps.show(model, launchOf(1), goal);
  EXPECT_EQ(model.place->step, static_cast<size_t>(-1));
}

TEST_F(ShownLaunch, ShownLaunchStaysWhenTheProgramRunsAgain) {
  record(1);
  model.choice.block = {7, 0, 0};
  model.place.reset();
  LaunchSteps::Goal goal;
  goal.block = Dim3{2, 1, 0};
  steps.show(model, launchOf(1), goal);
  EXPECT_EQ(model.choice.block, (Dim3{7, 0, 0}));
  EXPECT_FALSE(model.place);
}

TEST_F(ShownLaunch, DisabledInferenceAppliesToEachLaunchOfTheProgram) {
  EXPECT_TRUE(steps.setInferred(lab::kPhases, false));
  EXPECT_FALSE(steps.setInferred(lab::kPhases, false)) << "already disabled";
  EXPECT_TRUE(steps.setInferred(lab::kPhases, true));
  EXPECT_TRUE(steps.setInferred(lab::kPhases, false));
  steps.forget();
  EXPECT_TRUE(steps.setInferred(lab::kPhases, false)) << "another program starts with the default";
}

}  // namespace tilestep::features::launch_steps_test
