// SPDX-License-Identifier: Apache-2.0
// Runs the tests of cases.cpp, each of which ends differently.
#include "runner/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "runner/listing.h"
#include "support/results.h"
#include "support/service.h"

namespace tilestep::runner::pool_test {

class Pool : public testing::Test {
 protected:
  void SetUp() override {
    const Listing listing = listTests(RUNNER_CASES, std::chrono::minutes(1));
    ASSERT_FALSE(listing.failure) << listing.failure->reason;
    all_ = listing.program.tests;
    programs_ = {{"cases", RUNNER_CASES, {}}};
  }

  /// Runs the tests whose titles contain a pattern, in as few processes as possible.
  std::vector<Outcome> run(const std::vector<std::string>& patterns, double limit = 600) {
    programs_[0].tests.clear();
    for (const TestCase& test : all_)
      if (matches("cases: " + test.fullName(), patterns)) programs_[0].tests.push_back(test);
    std::vector<Outcome> outcomes;
    runAll(programs_, batchesOf(programs_, 1),
           {.jobs = 2, .limit = Seconds(limit), .folder = folder_.path(), .isInterrupted = {}},
           [&](Outcome outcome) { outcomes.push_back(std::move(outcome)); });
    return outcomes;
  }

 private:
  support::TemporaryFolder folder_{"pool"};
  std::vector<Program> programs_;
  std::vector<TestCase> all_;
};

const Outcome* find(const std::vector<Outcome>& outcomes, const std::string& test) {
  const auto at = std::ranges::find(outcomes, "cases: Cases." + test, &Outcome::title);
  return at == outcomes.end() ? nullptr : &*at;
}

TEST_F(Pool, ATestThatFailsIsShownWithItsOutput) {
  const std::vector<Outcome> outcomes = run({"Cases.Passes", "Cases.Fails"});
  ASSERT_EQ(outcomes.size(), 4U);
  const Outcome* failed = find(outcomes, "Fails");
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->status, Status::failed);
  EXPECT_TRUE(has(failed->output, "printed by a test that fails"));
  EXPECT_FALSE(has(failed->output, "printed by a test that passes"));
  EXPECT_EQ(find(outcomes, "Passes")->status, Status::passed);
}

TEST_F(Pool, ACrashIsReportedAndTheOtherTestsStillRun) {
  const std::vector<Outcome> outcomes = run({"Crash"});
  ASSERT_EQ(outcomes.size(), 2U);
  const Outcome* crashed = find(outcomes, "Crashes");
  ASSERT_TRUE(crashed);
  EXPECT_EQ(crashed->status, Status::failed);
  EXPECT_TRUE(has(crashed->reason, "SIGSEGV"));
  EXPECT_TRUE(has(crashed->output, "printed before the crash"));
  ASSERT_TRUE(find(outcomes, "PassesAfterTheCrash"));
  EXPECT_EQ(find(outcomes, "PassesAfterTheCrash")->status, Status::passed);
}

TEST_F(Pool, ATestThatEndsItsProcessFails) {
  const std::vector<Outcome> outcomes = run({"Cases.Exits"});
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_EQ(outcomes[0].status, Status::failed);
  EXPECT_TRUE(has(outcomes[0].reason, "exit status 0"));
}

TEST_F(Pool, ATestThatHangsIsEndedAndTheOtherTestsStillRun) {
  const std::vector<Outcome> outcomes = run({"Hang"}, 10);
  ASSERT_EQ(outcomes.size(), 2U);
  ASSERT_TRUE(find(outcomes, "Hangs"));
  EXPECT_EQ(find(outcomes, "Hangs")->status, Status::failed);
  EXPECT_EQ(find(outcomes, "Hangs")->reason, "took longer than 10 s");
  ASSERT_TRUE(find(outcomes, "PassesAfterTheHang"));
  EXPECT_EQ(find(outcomes, "PassesAfterTheHang")->status, Status::passed);
}

TEST_F(Pool, ProcessesOfACrashedTestAreEnded) {
  const std::vector<Outcome> outcomes = run({"LeavesASleeper"});
  ASSERT_EQ(outcomes.size(), 1U);
  const std::string& output = outcomes[0].output;
  const size_t begin = output.find("mark=");
  ASSERT_NE(begin, std::string::npos) << output;
  const size_t end = output.find('\n', begin);
  const std::string variable = "TILESTEP_TEST_PROCESS=" + output.substr(begin + 5, end - begin - 5);
  EXPECT_TRUE(support::becomesTrue(60, [&] { return support::processesWith(variable).empty(); }));
}

TEST_F(Pool, AProcessThatCannotBeStartedFailsWithEachOfItsTests) {
  const std::vector<Program> programs{{"gone", "/nowhere/test_gone", {}}};
  std::vector<Outcome> outcomes;
  runAll(programs, {{0, {"A.x", "A.y"}}}, {1, Seconds(60), "/nowhere", {}},
         [&](Outcome outcome) { outcomes.push_back(std::move(outcome)); });
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(outcomes[1].title, "gone: A.y");
  EXPECT_EQ(outcomes[1].status, Status::failed);
  EXPECT_TRUE(has(outcomes[1].reason, "cannot write"));
}

TEST_F(Pool, SkippedTestsReportTheirReason) {
  const std::vector<Outcome> outcomes = run({"Cases.Skips"});
  ASSERT_EQ(outcomes.size(), 2U);
  EXPECT_EQ(find(outcomes, "SkipsWithAReason")->reason, "no GPU");
  EXPECT_TRUE(isGood(*find(outcomes, "SkipsWithAReason")));
  EXPECT_EQ(find(outcomes, "SkipsWithoutAReason")->reason, "");
  EXPECT_FALSE(isGood(*find(outcomes, "SkipsWithoutAReason")));
}

TEST_F(Pool, SuitesShareAProcessUnlessTheyRequestTheirOwn) {
  const std::vector<Outcome> outcomes = run({"SharedProcess", "OwnProcess"});
  ASSERT_EQ(outcomes.size(), 4U);
  for (const Outcome& outcome : outcomes)
    EXPECT_EQ(outcome.status, Status::passed) << outcome.title << outcome.output;
}

TEST_F(Pool, ASuiteThatCannotBeSetUpFailsWithEachOfItsTests) {
  const std::vector<Outcome> outcomes = run({"NoSetUp"});
  ASSERT_EQ(outcomes.size(), 2U);
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.status, Status::failed);
    EXPECT_TRUE(has(outcome.reason, "before this test started"));
  }
}

}  // namespace tilestep::runner::pool_test
