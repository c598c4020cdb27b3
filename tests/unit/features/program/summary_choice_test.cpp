// SPDX-License-Identifier: Apache-2.0
#include "features/program/summary_choice.h"

#include <gtest/gtest.h>

namespace tilestep::features::summary_choice_test {

lab::ProgramFinding fault(const std::string& kind, uint32_t line, uint64_t launch) {
  lab::ProgramFinding finding;
  finding.kind = kind;
  finding.line = line;
  finding.launch = launch;
  return finding;
}

lab::ProgramStep launch(uint64_t number, bool ran, uint64_t times = 1) {
  lab::ProgramStep step;
  step.kind = lab::ProgramStepKind::launch;
  step.launch = number;
  step.ran = ran;
  step.times = times;
  return step;
}

TEST(SummaryChoice, CauseComesBeforeAnUncheckedError) {
  lab::ProgramSummary summary;
  EXPECT_EQ(firstCause(summary), 0U);
  summary.findings = {fault("unchecked-error", 9, 0), fault("out-of-bounds", 4, 1)};
  EXPECT_EQ(firstCause(summary), 1U);
}

TEST(SummaryChoice, RaceComesBeforeThePrematureRead) {
  lab::ProgramSummary summary;
  summary.findings = {fault("uninitialised-read", 8, 1), fault("read-after-write", 8, 1)};
  summary.findings[1].otherLine = 5;
  EXPECT_EQ(firstCause(summary), 1U);
  summary.findings[1].line = 7;
  EXPECT_EQ(firstCause(summary), 0U);
}

TEST(SummaryChoice, ShownLaunchStaysIfItRan) {
  lab::ProgramSummary summary;
  EXPECT_EQ(launchToShow(summary, 1), 0U);
  summary.steps = {launch(1, true), launch(2, false), launch(3, true, 4)};
  EXPECT_EQ(launchToShow(summary, 0), 1U);
  EXPECT_EQ(launchToShow(summary, 5), 5U);
  EXPECT_EQ(launchToShow(summary, 2), 1U);
  summary.findings = {fault("out-of-bounds", 4, 6)};
  EXPECT_EQ(launchToShow(summary, 0), 6U);
  EXPECT_EQ(stepOf(summary, 6)->launch, 3U);
  EXPECT_EQ(stepOf(summary, 7), nullptr);
}

}  // namespace tilestep::features::summary_choice_test
