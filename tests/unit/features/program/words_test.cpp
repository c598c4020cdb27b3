// SPDX-License-Identifier: Apache-2.0
#include "features/program/words.h"

#include <gtest/gtest.h>

#include "features/program/running.h"

namespace tilestep::features::words_test {

using Words = std::vector<std::string>;

TEST(ProgramArguments, AreSplitAsInATerminal) {
  EXPECT_EQ(wordsOf("512  \"two words\" 'it''s' \"\""), (Words{"512", "two words", "its", ""}));
  EXPECT_TRUE(wordsOf("  ").empty());
}

ProgramView ended() {
  ProgramView view;
  view.state = ProgramView::State::ended;
  view.name = "hw1.cu";
  auto summary = std::make_shared<lab::ProgramSummary>();
  summary->verdict = "No fault was found in 1 launch on these inputs: bounds.";
  view.summary = summary;
  return view;
}

ProgramView withFault(uint32_t line, const std::string& file = {}) {
  ProgramView view = ended();
  auto summary = std::make_shared<lab::ProgramSummary>(*view.summary);
  lab::ProgramFinding finding;
  finding.kind = "out-of-bounds";
  finding.message = "a read";
  finding.file = file;
  finding.line = line;
  summary->findings.push_back(finding);
  view.summary = summary;
  return view;
}

TEST(ProgramWords, VerdictDescribesTheState) {
  EXPECT_EQ(verdictOf(ended()), "No fault was found in 1 launch on these inputs: bounds.");
  EXPECT_EQ(verdictOf(withFault(3)), "1 fault was found.");
  ProgramView refused;
  refused.state = ProgramView::State::refused;
  refused.refusal = "unknown type name 'flaot'";
  refused.refusalLine = 4;
  EXPECT_EQ(verdictOf(refused), "Line 4: unknown type name 'flaot'.");
}

TEST(ProgramWords, OnlyLinesOfTheProgramsFileAreMarked) {
  EXPECT_EQ(lineNotesOf(withFault(3, "/home/me/hw1.cu")).size(), 1U);
  EXPECT_EQ(lineNotesOf(withFault(3)).front().line, 3U);
  EXPECT_TRUE(lineNotesOf(withFault(3, "/home/me/helper.h")).empty());
  EXPECT_TRUE(lineNotesOf(withFault(0)).empty());
  ProgramView old = withFault(3);
  old.isOld = true;
  EXPECT_TRUE(lineNotesOf(old).empty());
}

TEST(ProgramWords, StepIsWrittenAsInTheSource) {
  lab::ProgramStep step;
  step.kind = lab::ProgramStepKind::launch;
  step.name = "add";
  step.grid = {4, 1, 1};
  step.block = {16, 16, 1};
  EXPECT_EQ(textOf(step), "add<<<4, (16, 16)>>>");
  step.kind = lab::ProgramStepKind::copy;
  step.name = "cudaMemcpy";
  step.memory = "d_A";
  step.times = 3;
  EXPECT_EQ(textOf(step), "cudaMemcpy d_A × 3");
}

}  // namespace tilestep::features::words_test
