// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/files/prediction_file.h"

/// A predicted time as it is shown: a range whose width reflects the model's error on recorded
/// launches, or the reason why there is none. Pure.
namespace tilestep::model {

/// The model's accuracy on recorded launches with the same limiting resource.
struct ModelError {
  size_t points = 0, kernels = 0;  ///< Launches, and the different kernels among them.
  /// Four in five of the launches were within this share of their prediction: 0.2 is 20 %, longer
  /// or shorter (RecordedPrediction::factor). Absent if fewer than kLeastPoints launches of
  /// kLeastKernels kernels are known.
  std::optional<double> error;
};
inline constexpr size_t kLeastPoints = 10, kLeastKernels = 3;
inline constexpr double kShareWithinError = 0.8;

/// Nothing is fitted to the launches. Launches whose registers make too much of a difference are
/// left out, because such a launch gets no range either.
[[nodiscard]] ModelError modelErrorOf(const PredictionTable& table, const std::string& limit);

struct PredictedRange {
  double low = 0, high = 0;  ///< Seconds; 0 if there is no range.
  std::string limit;         ///< "DRAM", "waiting"; empty if nothing is known.
  std::string on;            ///< "NVIDIA H200, recorded 2026-11-28"
  ModelError model;
  std::string why;  ///< The reason for a missing range, in a sentence; empty if there is one.
};

/// The range contains the prediction's own ends, extended to the model's error around its middle.
/// There is no range if either exceeds kNearPrediction.
[[nodiscard]] PredictedRange predictedRange(const Result<PredictedSpan>& span,
                                            const PredictionBasis& basis);

/// "12.3 µs to 15.1 µs"; empty if there is no range.
[[nodiscard]] std::string rangeText(const PredictedRange& range);
/// The meaning and reliability of the range, or the reason for a missing one, in whole sentences.
[[nodiscard]] std::string rangeNote(const PredictedRange& range);

}  // namespace tilestep::model
