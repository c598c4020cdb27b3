// SPDX-License-Identifier: Apache-2.0
#include "model/jobs.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "compile/program_source.h"
#include "model/model.h"
#include "support/source_root.h"
#include "unit/model/fake_client.h"

namespace tilestep::model::jobs_test {

constexpr Job kLesson{"lessons", Urgency::lesson};
constexpr Job kSweep{"sweeps", Urgency::sweep};

class JobsTest : public ::testing::Test {
 protected:
  JobsTest() { jobs.connect(std::make_unique<FakeClient>(log)); }

  static lab::Experiment experiment(int64_t tile) {
    lab::Experiment e;
    e.source = compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled").value();
    e.tunables = {{"TILE_WIDTH", tile}};
    e.sizes = {{"m", 8}, {"n", 8}, {"k", 8}};
    return e;
  }

  std::shared_ptr<FakeClient::Log> log = std::make_shared<FakeClient::Log>();
  Jobs jobs;
};

TEST_F(JobsTest, ANewerRequestReplacesAWaitingOne) {
  jobs.want(kSceneJob, experiment(2), 0);
  jobs.want(kSceneJob, experiment(4), 0);
  jobs.poll(0);
  ASSERT_EQ(log->runs.size(), 1U);
  EXPECT_EQ(log->runs[0].experiment.tunables.at("TILE_WIDTH"), 4);
}

TEST_F(JobsTest, ANewerRequestCancelsTheRunningOneAndDropsItsAnswer) {
  jobs.want(kSceneJob, experiment(2), 0);
  jobs.poll(0);
  const uint64_t first = log->runs[0].id;
  jobs.want(kSceneJob, experiment(4), 0);
  EXPECT_TRUE(log->isCancelled(first));
  jobs.poll(0);
  log->answerRuns();
  const std::vector<Arrival> arrivals = jobs.poll(0);
  ASSERT_EQ(arrivals.size(), 1U);
  EXPECT_EQ(arrivals[0].key, Request(experiment(4)).key);
  EXPECT_FALSE(jobs.busy());
}

TEST_F(JobsTest, ARequestThatWaitsForAnotherReplyIsNotDue) {
  jobs.want(kLesson, experiment(2), 0);
  jobs.poll(0);
  jobs.want(kSweep, experiment(4), 0);     // Less urgent than the running experiment.
  jobs.want(kSceneJob, experiment(2), 0);  // The running experiment also answers this request.
  jobs.poll(0);
  ASSERT_TRUE(jobs.waitsOrRuns(kSweep));
  EXPECT_EQ(jobs.nextDue(0), std::nullopt) << "otherwise the window would not sleep";
  log->answerRuns();
  jobs.poll(0);
  EXPECT_EQ(jobs.nextDue(0), 0) << "the sweep can be sent now";
}

TEST_F(JobsTest, TheSameRequestTwiceRunsOnce) {
  jobs.want(kSceneJob, experiment(2), 0);
  jobs.poll(0);
  jobs.want(kSceneJob, experiment(2), 0);
  jobs.poll(0);
  EXPECT_EQ(log->runs.size(), 1U);
  EXPECT_TRUE(log->cancelled.empty());
}

/// Sources, and below experiments, that differ from `base` in one field each. If a field is added
/// to either struct, this does not compile until the field is changed below.
std::vector<compile::KernelSource> sourcesChangedInOneField(const compile::KernelSource& base) {
  std::vector<compile::KernelSource> all(5, base);
  for (size_t i = 0; i < all.size(); ++i) {
    auto& [path, text, frontMatter, entry, launch] = all[i];
    std::string* const fields[] = {&path, &text, &frontMatter, &entry};
    if (i < std::size(fields))
      *fields[i] += "x";
    else
      launch = std::make_shared<const compile::ProgramLaunch>();
  }
  return all;
}

std::vector<lab::Experiment> changedInOneField(const lab::Experiment& base) {
  std::vector<lab::Experiment> all;
  for (const compile::KernelSource& changed : sourcesChangedInOneField(base.source)) {
    all.push_back(base);
    all.back().source = changed;
  }
  const auto add = [&](const std::function<void(lab::Experiment&)>& change) {
    all.push_back(base);
    change(all.back());
  };
  using E = lab::Experiment;
  add([](E& e) { ++e.seed; });
  add([](E& e) { ++e.order; });
  for (bool device::RunOptions::*flag :
       {&E::counters, &E::measure, &E::thorough, &E::check, &E::hardware, &E::timeline, &E::timings,
        &E::blockAlone, &E::blocksInTurn, &E::loadOnly})
    add([flag](E& e) { e.*flag = !(e.*flag); });
  add([](E& e) { e.traceBlock = Dim3{0, 0, 0}; });
  add([](E& e) { ++e.traceBytes; });
  add([](E& e) { e.timeoutSeconds += 1; });
  add([](E& e) { ++e.mostInstructions; });
  add([](E& e) { e.captured = std::make_shared<const device::CapturedLaunch>(); });
  add([](E& e) { e.dataOf = compile::KernelSource(); });
  add([](E& e) { ++e.sizes["m"]; });
  add([](E& e) { ++e.tunables["TILE_WIDTH"]; });
  add([](E& e) { e.device += "0"; });
  add([](E& e) { ++e.pictureSide; });
  add([](E& e) { ++e.memoryBytes; });
  add([](E& e) { e.onlyRecorded = !e.onlyRecorded; });
  add([](E& e) { e.operation = "product"; });
  return all;
}

TEST_F(JobsTest, EveryFieldOfAnExperimentIsPartOfItsKey) {
  const lab::Experiment base = experiment(2);
  EXPECT_EQ(Request(base).key, Request(experiment(2)).key);
  std::set<std::string> keys{Request(base).key};
  const std::vector<lab::Experiment> all = changedInOneField(base);
  for (size_t i = 0; i < all.size(); ++i)
    EXPECT_TRUE(keys.insert(Request(all[i]).key).second)
        << "change " << i << " has the key of a different change";
  EXPECT_EQ(keys.size(), all.size() + 1);
}

TEST_F(JobsTest, ARequestWaitsUntilItIsDue) {
  jobs.want(kMeasureJob, experiment(2), 0.5);
  jobs.poll(0.4);
  EXPECT_TRUE(log->runs.empty());
  EXPECT_EQ(jobs.nextDue(0), 0.5);
  jobs.poll(0.5);
  EXPECT_EQ(log->runs.size(), 1U);
}

TEST_F(JobsTest, ASceneInterruptsACountWhichIsRequestedAgain) {
  jobs.want(kCountJob, experiment(8), 0);
  jobs.poll(0);
  const uint64_t count = log->runs[0].id;
  jobs.want(kSceneJob, experiment(4), 0);
  jobs.poll(0);
  EXPECT_TRUE(log->isCancelled(count));
  log->answerRuns();
  const std::vector<Arrival> arrivals = jobs.poll(0);
  ASSERT_EQ(arrivals.size(), 1U);
  EXPECT_EQ(arrivals[0].job, kSceneJob.name);
  jobs.poll(0);
  ASSERT_EQ(log->runs.size(), 1U);
  EXPECT_EQ(log->runs[0].experiment.tunables.at("TILE_WIDTH"), 8);
}

TEST_F(JobsTest, ALessonsRunWaitsForTheSceneAndIsInterruptedByIt) {
  jobs.want(kLesson, experiment(8), 0);
  jobs.want(kSceneJob, experiment(2), 0);
  jobs.poll(0);
  ASSERT_EQ(log->runs.size(), 1U);
  EXPECT_EQ(log->runs[0].experiment.tunables.at("TILE_WIDTH"), 2);
  log->answerRuns();
  jobs.poll(0);
  jobs.poll(0);
  ASSERT_EQ(log->runs.size(), 1U);
  const uint64_t lesson = log->runs[0].id;
  jobs.want(kSceneJob, experiment(4), 0);
  jobs.poll(0);
  EXPECT_TRUE(log->isCancelled(lesson));
  log->answerRuns();
  for (const Arrival& arrival : jobs.poll(0)) EXPECT_EQ(arrival.job, kSceneJob.name);
  EXPECT_TRUE(jobs.waitsOrRuns(kLesson)) << "it is requested again";
}

TEST_F(JobsTest, DroppingForgetsAndCancels) {
  jobs.want(kCountJob, experiment(8), 0);
  jobs.poll(0);
  jobs.drop(kCountJob);
  EXPECT_TRUE(log->isCancelled(log->runs[0].id));
  log->answerRuns();
  EXPECT_TRUE(jobs.poll(0).empty());
  EXPECT_FALSE(jobs.busy());
}

TEST_F(JobsTest, AnExperimentThatTwoJobsWantRunsOnceAndAnswersBoth) {
  jobs.want(kSceneJob, experiment(4), 0);
  jobs.poll(0);
  jobs.want(kReferenceJob, experiment(4), 0);
  jobs.poll(0);
  ASSERT_EQ(log->runs.size(), 1U);
  log->answerRuns();
  std::set<std::string> answered;
  for (const Arrival& arrival : jobs.poll(0)) answered.insert(arrival.job);
  EXPECT_EQ(answered,
            (std::set<std::string>{std::string(kSceneJob.name), std::string(kReferenceJob.name)}));
  EXPECT_FALSE(jobs.busy());
}

TEST_F(JobsTest, AJobRunsWhenTheJobItWaitedForIsDropped) {
  jobs.want(kSceneJob, experiment(4), 0);
  jobs.poll(0);
  jobs.want(kReferenceJob, experiment(4), 0);
  jobs.poll(0);
  jobs.drop(kSceneJob);
  jobs.poll(0);
  EXPECT_EQ(log->runs.size(), 2U);
}

}  // namespace tilestep::model::jobs_test
