// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/operation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include "base/figure.h"
#include "lab/elements.h"
#include "lab/launch/candidates.h"

namespace tilestep::lab {
namespace {

bool tells(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double value) { return value != 0; });
}

/// The error of `got`, in units of the largest rounding error; infinite if `got` is not finite.
double errorOf(const OperationCandidate& candidate, ElementType type, uint64_t element,
               double got) {
  const double right = asStored(type, candidate.values[element]);
  if (got == right) return 0;
  if (!isFloatingPoint(type)) return std::numeric_limits<double>::infinity();
  const double scale = candidate.scale.empty() ? std::fabs(right) : candidate.scale[element];
  const double step = type == ElementType::f16 ? -9 : type == ElementType::bf16 ? -6 : -22;
  const double bound = std::sqrt(std::max(1.0, candidate.terms)) * std::exp2(step) * scale;
  const double error = std::fabs(got - right) / bound;
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

Operation agreement(const OperationCandidate& candidate, const LaunchValues& launch,
                    bool onlyWritten) {
  Operation operation;
  operation.name = candidate.name;
  operation.formula = candidate.formula;
  operation.output = candidate.output;
  operation.result = launch.operands[candidate.output].spec.name;
  operation.elements = launch.operands[candidate.output].elements;
  const OperandValues& output = launch.values[candidate.output];
  const ElementType type = launch.operands[candidate.output].spec.type;
  for (uint64_t i = 0; i < candidate.values.size(); ++i) {
    const bool isWritten = output.written[i];
    if (std::isnan(candidate.values[i]) || (onlyWritten && !isWritten)) continue;
    ++operation.compared;
    const bool isZero = candidate.values[i] == 0 && output.after[i] == 0;
    if (!isZero) ++operation.telling;
    const double error = errorOf(candidate, type, i, output.after[i]);
    operation.scaledError = std::max(operation.scaledError, error);
    if (error <= 1) continue;
    if (operation.wrong++ > 0) continue;
    operation.firstWrong = {candidate.output, i, true, output.after[i],
                            asStored(type, candidate.values[i])};
  }
  return operation;
}

bool isBetter(const Operation& a, const Operation& b) {
  return static_cast<double>(a.wrong) * static_cast<double>(b.compared) <
         static_cast<double>(b.wrong) * static_cast<double>(a.compared);
}

}  // namespace

bool agrees(const Operation& operation) {
  return operation.telling > 0 && 10 * operation.wrong <= operation.telling;
}

std::optional<Operation> recogniseOperation(const LaunchValues& launch) {
  std::optional<Operation> best;
  eachCandidate(launch, [&](const OperationCandidate& candidate) {
    if (!candidate.tells || !tells(candidate.values)) return;
    Operation found = agreement(candidate, launch, true);
    if (!agrees(found)) return;
    if (!best || isBetter(found, *best)) best = std::move(found);
  });
  return best;
}

std::optional<Operation> compareWith(std::string_view name, const LaunchValues& launch) {
  std::optional<Operation> best;
  eachCandidate(launch, [&](const OperationCandidate& candidate) {
    if (candidate.name != name) return;
    Operation found = agreement(candidate, launch, false);
    if (!best || isBetter(found, *best)) best = std::move(found);
  });
  return best;
}

std::optional<Operation> compareLike(const Operation& operation, const LaunchValues& launch) {
  std::optional<Operation> same;
  eachCandidate(launch, [&](const OperationCandidate& candidate) {
    if (!same && candidate.name == operation.name && candidate.formula == operation.formula &&
        candidate.output == operation.output)
      same = agreement(candidate, launch, true);
  });
  return same;
}

Check checkOf(const Operation& operation) {
  Check check;
  check.reference = "float64";
  check.bound = 1;
  check.scaledError = std::min(operation.scaledError, std::numeric_limits<double>::max());
  check.wrong = operation.wrong;
  check.compared = operation.compared;
  check.firstWrong = operation.firstWrong;
  check.ok = operation.wrong == 0;
  return check;
}

std::string elementText(const compile::ResolvedOperand& operand, uint64_t element) {
  if (operand.columns == 0) return operand.spec.name + "[" + std::to_string(element) + "]";
  return operand.spec.name + "[" + std::to_string(element / operand.columns) + "][" +
         std::to_string(element % operand.columns) + "]";
}

std::string questionOf(const Operation& operation, const LaunchValues& launch) {
  if (operation.wrong == 0 || !operation.firstWrong) return {};
  const compile::ResolvedOperand& output = launch.operands[operation.output];
  const WrongElement& first = *operation.firstWrong;
  const std::string place = elementText(output, first.element);
  char values[96];
  std::snprintf(values, sizeof values, " (%.9g instead of %.9g)", first.got, first.expected);
  return grouped(operation.wrong) + " of " + grouped(operation.compared) +
         " elements differ from " + operation.formula + ", the first at " + place + values +
         "; is it meant to be " + operation.formula + "?";
}

}  // namespace tilestep::lab
