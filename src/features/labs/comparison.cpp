// SPDX-License-Identifier: Apache-2.0
#include "features/labs/comparison.h"

#include <cmath>

#include "base/number_text.h"

namespace tilestep::features {
namespace {

std::string wordsOf(const Prediction& prediction, double value) {
  if (prediction.choices.empty()) return shortestText(value);
  return prediction.choices[static_cast<size_t>(value) - 1];
}

}  // namespace

bool isPossible(const Prediction& prediction, double given) {
  if (prediction.choices.empty()) return std::abs(given) <= kLargestPrediction;
  return given >= 1 && given <= static_cast<double>(prediction.choices.size()) &&
         given == std::floor(given);
}

std::string comparisonOf(const Prediction& prediction, double given) {
  std::string text = "**You predicted:** " + wordsOf(prediction, given) + ". ";
  text += given == prediction.answer
              ? "**That is right.** "
              : "**The answer is:** " + wordsOf(prediction, prediction.answer) + ". ";
  return text + prediction.because;
}

}  // namespace tilestep::features
