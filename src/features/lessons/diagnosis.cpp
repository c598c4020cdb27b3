// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/diagnosis.h"

#include <cmath>

#include "model/text/figure_format.h"

namespace tilestep::features {
namespace {

/// ": about 3 times the answer", ", by less than a tenth". `factor` is given ÷ right.
std::string distanceOf(double factor) {
  constexpr double kNear = 1.1, kHalfMore = 1.5, kFar = 10.5;
  const bool more = factor > 1;
  const double times = more ? factor : 1 / factor;
  if (times < kNear) return ", by less than a tenth";
  if (times < kHalfMore) return more ? ", by less than half" : ", by less than a third";
  if (times > kFar)
    return more ? ": more than ten times the answer" : ": less than a tenth of the answer";
  const std::string whole = std::to_string(std::lround(times));
  if (more) return ": about " + whole + " times the answer";
  return whole == "2" ? ": about half of the answer" : ": about 1/" + whole + " of the answer";
}

std::string farOff(double given, double right) {
  const std::string side =
      writtenInFull(given) + (given > right ? " is too large" : " is too small");
  const bool comparable = given * right > 0;
  return side + (comparable ? distanceOf(given / right) : "") + ".";
}

}  // namespace

bool isAnswer(double given, double number) {
  return std::fabs(given - number) <= 1e-6 * std::fabs(number);
}

std::string diagnosisOf(double given, double right, const FilledStep& step) {
  for (const FilledMisconception& wrong : step.wrong)
    if (wrong.answer && isAnswer(given, *wrong.answer)) return wrong.because;
  return step.choices.empty() ? farOff(given, right) : "";
}

}  // namespace tilestep::features
