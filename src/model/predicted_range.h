// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/files/prediction_file.h"

/// A predicted time as it is shown: a range that is as wide as the model was off on recorded
/// launches, or why there is none. Pure.
namespace tilestep::model {

/// How near the model came to recorded launches of which the same takes the longest.
struct ModelError {
  size_t points = 0, kernels = 0;  ///< Launches, and the different kernels among them.
  /// Four in five of the launches were within so much of their prediction: 0.2 is 20 %, longer or
  /// shorter (RecordedPrediction::factor). Nothing where fewer than kLeastPoints launches of
  /// kLeastKernels kernels are known.
  std::optional<double> error;
};
inline constexpr size_t kLeastPoints = 10, kLeastKernels = 3;
inline constexpr double kShareWithinError = 0.8;

/// Nothing is fitted to the launches. Those whose registers make too much of a difference are left
/// out, for such a launch gets no range either.
[[nodiscard]] ModelError modelErrorOf(const PredictionTable& table, const std::string& limit);

struct PredictedRange {
  double low = 0, high = 0;  ///< Seconds; 0 where there is no range.
  std::string limit;         ///< "DRAM", "waiting"; empty: nothing is known.
  std::string on;            ///< "NVIDIA H200, recorded 2026-11-28"
  ModelError model;
  std::string why;  ///< Why there is no range, in a sentence; empty where there is one.
};

/// The range contains the prediction's own ends, and whatever is longer or shorter than its middle
/// by no more than the error. There is none where either would be above kNearPrediction.
[[nodiscard]] PredictedRange predictedRange(const Result<PredictedSpan>& span,
                                            const PredictionBasis& basis);

/// "12.3 µs to 15.1 µs"; empty where there is no range.
[[nodiscard]] std::string rangeText(const PredictedRange& range);
/// What the range is and how far it can be relied on, or why there is none: whole sentences.
[[nodiscard]] std::string rangeNote(const PredictedRange& range);

}  // namespace tilestep::model
