// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/diagnosis.h"

#include <gtest/gtest.h>

namespace tilestep::features::diagnosis_test {

TEST(Diagnosis, ForeseenWrongAnswerHasAnExplanation) {
  FilledStep step;
  step.wrong = {{std::nullopt, "Not known yet."}, {128, "Those are bytes."}, {8, "One thread's."}};
  EXPECT_EQ(diagnosisOf(128, 32, step), "Those are bytes.");
  EXPECT_EQ(diagnosisOf(8, 32, step), "One thread's.");
  EXPECT_EQ(diagnosisOf(9, 32, step), "9 is too small: about 1/4 of the answer.");
}

TEST(Diagnosis, OtherNumbersGetDirectionAndApproximateDistance) {
  const auto of = [](double given, double right) { return diagnosisOf(given, right, {}); };
  EXPECT_EQ(of(33, 32), "33 is too large, by less than a tenth.");
  EXPECT_EQ(of(31, 32), "31 is too small, by less than a tenth.");
  EXPECT_EQ(of(40, 32), "40 is too large, by less than half.");
  EXPECT_EQ(of(24, 32), "24 is too small, by less than a third.");
  EXPECT_EQ(of(64, 32), "64 is too large: about 2 times the answer.");
  EXPECT_EQ(of(16, 32), "16 is too small: about half of the answer.");
  EXPECT_EQ(of(2048, 32), "2,048 is too large: more than ten times the answer.");
  EXPECT_EQ(of(1, 32), "1 is too small: less than a tenth of the answer.");
  EXPECT_EQ(of(-1, 32), "-1 is too small.");
  EXPECT_EQ(of(0, 32), "0 is too small.");
  EXPECT_EQ(of(5, 0), "5 is too large.");
}

TEST(Diagnosis, UnforeseenChoiceGetsNoDistance) {
  FilledStep step;
  step.choices = {"a", "b"};
  EXPECT_EQ(diagnosisOf(1, 2, step), "");
}

}  // namespace tilestep::features::diagnosis_test
