// SPDX-License-Identifier: Apache-2.0
#include "model/predicted_range.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::model {
namespace predicted_range_test {

/// Five launches each of three kernels, all limited by waiting and predicted to take 1 µs. The
/// first `near` launches took 1.1 µs, the others 2 µs.
PredictionBasis basisOf(size_t near) {
  PredictionBasis basis;
  basis.device.name = "NVIDIA H200";
  basis.device.recordedOn = "2026-11-28";
  for (size_t i = 0; i < 15; ++i)
    basis.table.points.push_back({"kernel" + std::to_string(i % 3),
                                  "",
                                  "n " + std::to_string(i),
                                  {1e-6, 1e-6, "waiting"},
                                  i < near ? 1.1e-6 : 2e-6});
  return basis;
}

TEST(PredictedRange, CoversFourOfFiveRecordedErrors) {
  const PredictionBasis basis = basisOf(12);
  const PredictedRange range = predictedRange(PredictedSpan{10e-6, 10e-6, "waiting"}, basis);
  EXPECT_EQ(range.why, "");
  EXPECT_EQ(range.model.points, 15U);
  EXPECT_EQ(range.model.kernels, 3U);
  ASSERT_TRUE(range.model.error);
  EXPECT_NEAR(*range.model.error, 0.1, 1e-9);
  EXPECT_NEAR(range.low, 10e-6 / 1.1, 1e-12);
  EXPECT_NEAR(range.high, 11e-6, 1e-12);
  EXPECT_EQ(rangeText(range), "9.09 µs to 11.0 µs");
  EXPECT_EQ(rangeNote(range),
            "Predicted, not measured: for NVIDIA H200, recorded 2026-11-28, with warm caches. Its "
            "warps mostly wait for memory and barriers. Of 15 recorded launches with the same "
            "limit, four in five were within 10 % of their prediction.");
}

TEST(PredictedRange, IsMissingIfTheModelIsOffByMoreThanAQuarter) {
  const PredictedRange range = predictedRange(PredictedSpan{10e-6, 10e-6, "waiting"}, basisOf(11));
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(rangeText(range), "");
  EXPECT_EQ(rangeNote(range),
            "No time is predicted. The model is too inaccurate for launches whose limit is "
            "waiting: of 15 recorded launches with the same limit, one in five was 100 % or more "
            "away from its prediction.");
}

TEST(PredictedRange, IsMissingIfThePredictionIsTooWide) {
  const PredictedRange range = predictedRange(PredictedSpan{10e-6, 16e-6, "waiting"}, basisOf(15));
  EXPECT_EQ(range.why,
            "Its time depends too much on what only the machine code shows: the registers of a "
            "thread, and which loads of shared memory are merged.");
}

TEST(PredictedRange, IsMissingWithoutEnoughLaunchesOfTheSameLimit) {
  PredictionBasis basis = basisOf(15);
  EXPECT_EQ(predictedRange(PredictedSpan{1e-6, 1e-6, "DRAM"}, basis).why,
            "The recording has too few launches whose limit is DRAM to estimate the error of a "
            "prediction.");
  for (RecordedPrediction& point : basis.table.points) point.kernel = "the same";
  EXPECT_NE(predictedRange(PredictedSpan{1e-6, 1e-6, "waiting"}, basis).why, "")
      << "launches of one kernel say little about others";
}

TEST(PredictedRange, LeavesOutRecordedLaunchesThatWouldGetNoRange) {
  PredictionBasis basis = basisOf(12);
  for (size_t i = 12; i < 15; ++i) basis.table.points[i].predicted.high = 2e-6;
  const ModelError model = modelErrorOf(basis.table, "waiting");
  EXPECT_EQ(model.points, 12U);
  EXPECT_NEAR(model.error.value_or(0), 0.1, 1e-9);
}

TEST(PredictedRange, ExplainsMissingPredictions) {
  const PredictedRange range = predictedRange(workError("The launch did nothing."), basisOf(15));
  EXPECT_EQ(rangeNote(range), "No time is predicted. The launch did nothing.");
  EXPECT_EQ(range.limit, "");
}

}  // namespace predicted_range_test

namespace prediction_file_test {

const std::string kHead =
    "recording began,2026-11-28T15:45:16Z,compiler,clang 14.0.6\n"
    "kernel,tunables,sizes,limit,measured_s,low_s,high_s\n";

std::string errorOf(const std::string& text) {
  const auto table = parsePredictions(text, "x.csv");
  return table ? "" : table.error().message;
}

TEST(PredictionFile, IsReadBackUnchanged) {
  const std::string text =
      kHead + "transpose,TILE 32,\"m 512, n 512\",waiting,2.500e-06,2.000e-06,3.000e-06\n";
  const auto table = valueOrThrow(parsePredictions(text, "x.csv"));
  EXPECT_EQ(table.began, "2026-11-28T15:45:16Z");
  EXPECT_EQ(table.compiler, "clang 14.0.6");
  ASSERT_EQ(table.points.size(), 1U);
  EXPECT_EQ(table.points[0].sizes, "m 512, n 512");
  EXPECT_NEAR(table.points[0].factor(), 2.5 / 2.449, 0.001);
  EXPECT_EQ(predictionsText(table), text);
}

TEST(PredictionFile, DamageIsReportedWithItsLine) {
  EXPECT_EQ(errorOf(""), "x.csv: it has no data");
  EXPECT_EQ(errorOf(kHead + "cut off"), "x.csv: the last line is incomplete");
  EXPECT_EQ(errorOf("a,b\n" + kHead),
            "x.csv, line 1: it does not name the recording and the compiler");
  EXPECT_EQ(errorOf("recording began,a,compiler,b\nkernel\n"),
            "x.csv, line 2: the column names are wrong");
  EXPECT_EQ(errorOf(kHead + "a,b\n"), "x.csv, line 3: it has 2 cells instead of 7");
  for (const std::string time : {"nan", "inf", "-1", "0", "", "1e9", "1e-6x"})
    EXPECT_EQ(errorOf(kHead + "k,,,DRAM,1e-6,1e-6," + time + "\n"),
              "x.csv, line 3: a time must be a number from 1e-9 to 1e6");
  EXPECT_EQ(errorOf(kHead + "k,,,DRAM,1e-6,2e-6,1e-6\n"), "x.csv, line 3: low_s is above high_s");
  EXPECT_EQ(errorOf(kHead + ",,,DRAM,1e-6,1e-6,1e-6\n"),
            "x.csv, line 3: the kernel or the limit has no name");
  EXPECT_EQ(errorOf(kHead + "k,\x1b[2J,,DRAM,1e-6,1e-6,1e-6\n"),
            "x.csv, line 3: a cell is too long or cannot be printed");
}

TEST(PredictionFile, TheShippedFileBelongsToTheShippedRecording) {
  const auto basis = valueOrThrow(readPredictionBasis(support::sourceRoot(), "nvidia-h200"));
  EXPECT_EQ(basis.device.name, "NVIDIA H200");
  EXPECT_TRUE(basis.ceilings.dramLatencySeconds);
  EXPECT_TRUE(modelErrorOf(basis.table, "waiting").error) << "most launches are limited by waiting";
}

TEST(PredictionFile, AMissingRecordingIsAnError) {
  EXPECT_FALSE(readPredictionBasis(support::sourceRoot(), "no-such-gpu"));
}

}  // namespace prediction_file_test
}  // namespace tilestep::model
