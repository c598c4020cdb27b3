// SPDX-License-Identifier: Apache-2.0
#include "model/predicted_range.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/figure.h"
#include "base/percent.h"
#include "base/sentence.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::model {
namespace {

/// Whether both ends of a prediction are within a quarter of its middle.
bool isNarrow(const PredictedSpan& span) {
  return isNear(span.high / span.middle());
}

std::string recordedLaunches(const ModelError& model) {
  return std::to_string(model.points) + " recorded launches with the same limit";
}

/// The reason why there is no range; empty if there is one.
std::string whyNoRange(const PredictedSpan& span, const ModelError& model) {
  if (!isNarrow(span))
    return "Its time depends too much on what only the machine code shows: the registers of a "
           "thread, and which loads of shared memory are merged.";
  if (!model.error)
    return "The recording has too few launches whose limit is " + span.limit +
           " to estimate the error of a prediction.";
  if (*model.error > kNearPrediction)
    return "The model is too inaccurate for launches whose limit is " + span.limit + ": of " +
           recordedLaunches(model) + ", one in five was " + wholePercent(*model.error) +
           " or more away from its prediction.";
  return {};
}

std::string limitSentence(const std::string& limit) {
  return limit == "waiting" ? "Its warps mostly wait for memory and barriers."
                            : capitalised(limit) + " takes the longest.";
}

}  // namespace

ModelError modelErrorOf(const PredictionTable& table, const std::string& limit) {
  std::vector<double> factors;
  std::set<std::string> kernels;
  for (const RecordedPrediction& point : table.points) {
    if (point.predicted.limit != limit || !isNarrow(point.predicted)) continue;
    factors.push_back(point.factor());
    kernels.insert(point.kernel);
  }
  ModelError model{factors.size(), kernels.size(), std::nullopt};
  if (model.points < kLeastPoints || model.kernels < kLeastKernels) return model;
  const auto count = static_cast<double>(factors.size());
  const auto last = static_cast<size_t>(std::ceil(kShareWithinError * count)) - 1;
  std::ranges::nth_element(factors, factors.begin() + static_cast<std::ptrdiff_t>(last));
  model.error = factors[last] - 1;
  return model;
}

PredictedRange predictedRange(const Result<PredictedSpan>& span, const PredictionBasis& basis) {
  PredictedRange range;
  range.on = deviceText(basis.device);
  if (!span) {
    range.why = span.error().message;
    return range;
  }
  range.limit = span->limit;
  range.model = modelErrorOf(basis.table, span->limit);
  range.why = whyNoRange(*span, range.model);
  if (!range.why.empty()) return range;
  range.low = std::min(span->low, span->middle() / (1 + *range.model.error));
  range.high = std::max(span->high, span->middle() * (1 + *range.model.error));
  return range;
}

std::string rangeText(const PredictedRange& range) {
  if (!range.why.empty()) return {};
  return toText(range.low, Unit::seconds) + " to " + toText(range.high, Unit::seconds);
}

std::string rangeNote(const PredictedRange& range) {
  if (!range.why.empty()) return "No time is predicted. " + range.why;
  return "Predicted, not measured: for " + range.on + ", with warm caches. " +
         limitSentence(range.limit) + " Of " + recordedLaunches(range.model) +
         ", four in five were within " + wholePercent(*range.model.error) + " of their prediction.";
}

}  // namespace tilestep::model
