// SPDX-License-Identifier: Apache-2.0
#include "lab/formula.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compile/front_matter/expression.h"
#include "lab/elements.h"

namespace tilestep::lab {
namespace {

/// As the kernel's own arithmetic would store it.
double rounded(ElementType type, double value) {
  return type == ElementType::f32 ? static_cast<double>(static_cast<float>(value)) : value;
}

double relativeError(double value, double right) {
  if (value == right) return 0;
  const double error = std::fabs(value - right) / std::max(std::fabs(right), 1.0);
  return std::isnan(error) ? std::numeric_limits<double>::max() : error;
}

/// Odd, so that neither parity of a thread is left out.
uint64_t stepFor(uint64_t elements) {
  const uint64_t step = elements / kMostFormulas + 1;
  return step % 2 == 0 ? step + 1 : step;
}

Status compare(const compile::ResolvedOperand& operand, const std::vector<std::byte>& bytes,
               const compile::Bindings& bindings, Check& check) {
  const ElementType type = operand.spec.type;
  const unsigned width = bytesOf(type);
  if (bytes.size() != operand.elements * width) return workError("an output did not come back");
  compile::Evaluator evaluator;
  for (const auto& [name, value] : bindings) evaluator.set(name, value);
  const uint64_t step = stepFor(operand.elements);
  for (uint64_t i = 0; i < operand.elements; i += step) {
    evaluator.set("i", static_cast<int64_t>(i));
    const Result<double> right = evaluator.number(operand.spec.expect);
    if (!right) return right.error();
    const double value = elementAsDouble(type, bytes.data() + i * width);
    check.scaledError = std::max(check.scaledError, relativeError(value, rounded(type, *right)));
  }
  if (check.reference.empty()) {
    check.reference = step == 1 ? "formula" : "formula (1 element in " + std::to_string(step) + ")";
  }
  return {};
}

}  // namespace

Status checkFormulas(const compile::Plan& plan, const std::vector<std::vector<std::byte>>& outputs,
                     Check& check) {
  for (size_t i = 0; i < plan.operands.size() && i < outputs.size(); ++i) {
    if (plan.operands[i].spec.expect.empty()) continue;
    Status compared = compare(plan.operands[i], outputs[i], plan.bindings, check);
    if (!compared) return compared;
  }
  check.ok = check.ok && check.scaledError <= check.bound;
  return {};
}

}  // namespace tilestep::lab
