// SPDX-License-Identifier: Apache-2.0
#include "lab/formula.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "device/device.h"
#include "lab/elements.h"
#include "lab/job.h"

namespace tilestep::lab {
namespace {

double relativeError(double value, double right) {
  if (value == right) return 0;
  const double error = std::fabs(value - right) / std::max(std::fabs(right), 1.0);
  return std::isnan(error) ? std::numeric_limits<double>::max() : error;
}

/// The step is odd, so that the sample includes threads of both parities.
uint64_t stepFor(uint64_t elements) {
  const uint64_t step = elements / kMostFormulas + 1;
  return step % 2 == 0 ? step + 1 : step;
}

Status compare(const compile::Plan& plan, size_t output, const std::vector<std::byte>& bytes,
               uint64_t seed, const device::Cancelled& stop, Check& check) {
  const compile::ResolvedOperand& operand = plan.operands[output];
  const ElementType type = operand.spec.type;
  const unsigned width = bytesOf(type);
  if (bytes.size() != operand.elements * width) return workError("an output was not returned");
  compile::Evaluator evaluator;
  for (const auto& [name, value] : plan.bindings) evaluator.set(name, value);
  const Status added = addInputs(evaluator, plan, seed, operand.spec.expect, stop);
  if (!added) return added;
  const uint64_t step = stepFor(operand.elements);
  for (uint64_t i = 0; i < operand.elements; i += step) {
    if (i / step % kEvaluations == 0 && stop && stop()) return workError("the check was stopped");
    evaluator.set("i", static_cast<int64_t>(i));
    const Result<double> right = evaluator.number(operand.spec.expect);
    if (!right) return right.error();
    const double value = elementAsDouble(type, bytes.data() + i * width);
    check.scaledError = std::max(check.scaledError, relativeError(value, asStored(type, *right)));
  }
  if (check.reference.empty()) {
    check.reference = step == 1 ? "formula" : "formula (1 element in " + std::to_string(step) + ")";
  }
  return {};
}

}  // namespace

Status addInputs(compile::Evaluator& evaluator, const compile::Plan& plan, uint64_t seed,
                 const std::string& expression, const device::Cancelled& stop) {
  evaluator.stopWhen(stop);
  for (uint32_t i = 0; i < plan.operands.size(); ++i) {
    const compile::ResolvedOperand& operand = plan.operands[i];
    if (!compile::isInput(operand.spec) || expression.find(operand.spec.name) == std::string::npos)
      continue;
    auto values = inputAsDoubles(operandOf(operand), i, seed, stop);
    if (!values) return workError("the check was stopped");
    evaluator.setElements(operand.spec.name, std::move(*values));
  }
  return {};
}

Status checkFormulas(const compile::Plan& plan, const std::vector<std::vector<std::byte>>& outputs,
                     uint64_t seed, Check& check, const device::Cancelled& stop) {
  for (size_t i = 0; i < plan.operands.size() && i < outputs.size(); ++i) {
    if (plan.operands[i].spec.expect.empty()) continue;
    Status compared = compare(plan, i, outputs[i], seed, stop, check);
    if (!compared) return compared;
  }
  check.ok = check.ok && check.scaledError <= check.bound;
  return {};
}

}  // namespace tilestep::lab
