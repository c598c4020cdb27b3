// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "model/files/prediction_file.h"

/// A predicted time as it is shown: a range whose width reflects the model's error on recorded
/// launches, or the reason why there is no range. Pure.
namespace tilestep::model {

/// The model's accuracy on recorded launches with the same limiting resource.
struct ModelError {
  size_t points = 0, kernels = 0;  ///< The numbers of launches and of kernels among them.
  /// For four in five of the launches, the measured time was longer or shorter than predicted by at
  /// most this fraction: 0.2 means 20 % (RecordedPrediction::factor). Absent if fewer than
  /// kLeastPoints launches of kLeastKernels kernels are known.
  std::optional<double> error;
};
inline constexpr size_t kLeastPoints = 10, kLeastKernels = 3;
inline constexpr double kShareWithinError = 0.8;

/// Does not fit anything to the launches. Launches whose prediction depends too much on their
/// registers are omitted, because such launches get no range.
[[nodiscard]] ModelError modelErrorOf(const PredictionTable& table, const std::string& limit);

struct PredictedRange {
  double low = 0, high = 0;  ///< Seconds; 0 if there is no range.
  std::string limit;  ///< The limiting resource: "DRAM", "waiting"; empty if it is not known.
  std::string on;     ///< "NVIDIA H200, recorded 2026-11-28"
  ModelError model;
  std::string why;  ///< The reason why there is no range, in a sentence; empty if there is one.
};

/// The range contains the prediction's own ends, and extends to the model's error around the
/// prediction's middle. There is no range if the ends or the error exceed kNearPrediction.
[[nodiscard]] PredictedRange predictedRange(const Result<PredictedSpan>& span,
                                            const PredictionBasis& basis);

/// "12.3 µs to 15.1 µs"; empty if there is no range.
[[nodiscard]] std::string rangeText(const PredictedRange& range);
/// Sentences that explain the range and its reliability, or why there is none.
[[nodiscard]] std::string rangeNote(const PredictedRange& range);

}  // namespace tilestep::model
