// SPDX-License-Identifier: Apache-2.0
#include "lab/expected.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "device/device.h"
#include "lab/array_reference.h"
#include "lab/elements.h"
#include "lab/formula.h"
#include "lab/job.h"

namespace tilestep::lab {
namespace {

using compile::Plan;
using compile::ResolvedOperand;

/// The operands that a reference reads and writes, as in lab/reference.cpp.
struct Roles {
  std::vector<uint32_t> inputs, outputs;
};

Roles rolesOf(const Plan& plan) {
  Roles roles;
  for (uint32_t i = 0; i < plan.operands.size(); ++i) {
    const compile::OperandSpec& spec = plan.operands[i].spec;
    if (spec.kind != OperandKind::buffer) continue;
    if (spec.direction != Direction::out) roles.inputs.push_back(i);
    if (spec.direction != Direction::in) roles.outputs.push_back(i);
  }
  return roles;
}

std::vector<double> inputOf(const Plan& plan, uint32_t operand, uint64_t seed) {
  const device::Operand filled = operandOf(plan.operands[operand]);
  return elementsAsDoubles(filled.type, device::fillOperand(filled, operand, seed, std::byte{0}));
}

/// A convolution's filter, as in lab/reference.cpp.
std::optional<uint32_t> filterOf(const Plan& plan, const Roles& roles) {
  for (uint32_t i = 0; i < plan.operands.size(); ++i)
    if (compile::isInput(plan.operands[i].spec) && i != roles.inputs[0]) return i;
  return std::nullopt;
}

/// Has no rows if the plan has no filter.
ConvolutionShape convolutionOf(const Plan& plan, const Roles& roles) {
  const std::optional<uint32_t> at = filterOf(plan, roles);
  if (!at) return {};
  const ResolvedOperand &in = plan.operands[roles.inputs[0]], &filter = plan.operands[*at];
  return {in.rows, in.columns, filter.rows, filter.columns};
}

/// The work that a reference needs; infinite if its operands do not fit together.
double workOf(const std::string& reference, const Plan& plan, const Roles& roles) {
  const bool filters = reference == "convolution";
  const bool one = filters || reference == "transpose" || reference.starts_with("block_");
  const size_t needed = one ? 1 : 2;
  if (roles.inputs.size() < needed || roles.outputs.empty()) return HUGE_VAL;
  const ResolvedOperand& first = plan.operands[roles.inputs[0]];
  const ResolvedOperand& out = plan.operands[roles.outputs[0]];
  if (reference == "transpose" && (first.rows != out.columns || first.columns != out.rows))
    return HUGE_VAL;
  if (filters) {
    const ConvolutionShape shape = convolutionOf(plan, roles);
    const bool fits = shape.isOne() && out.rows == shape.rows && out.columns == shape.columns;
    return fits ? static_cast<double>(out.elements) *
                      static_cast<double>(shape.filterRows * shape.filterColumns)
                : HUGE_VAL;
  }
  if (needed == 1) return static_cast<double>(first.elements + out.elements);
  const ResolvedOperand& second = plan.operands[roles.inputs[1]];
  if (reference == "sum")
    return first.elements == second.elements && first.elements == out.elements
               ? static_cast<double>(out.elements)
               : HUGE_VAL;
  const bool fits =
      first.columns == second.rows && out.rows == first.rows && out.columns == second.columns;
  return fits ? static_cast<double>(out.elements) * static_cast<double>(first.columns) : HUGE_VAL;
}

void addProduct(const Plan& plan, const Roles& roles, uint64_t seed, Expected& to) {
  const std::vector<double> a = inputOf(plan, roles.inputs[0], seed);
  const std::vector<double> b = inputOf(plan, roles.inputs[1], seed);
  const ResolvedOperand& out = plan.operands[to.operand];
  const uint64_t length = plan.operands[roles.inputs[0]].columns;
  const double bound = std::ldexp(std::sqrt(static_cast<double>(length)), -22);
  for (uint64_t row = 0; row < out.rows; ++row)
    for (uint64_t column = 0; column < out.columns; ++column) {
      double sum = 0, scale = 0;
      for (uint64_t i = 0; i < length; ++i) {
        const double term = a[row * length + i] * b[i * out.columns + column];
        sum += term;
        scale += std::fabs(term);
      }
      to.values.push_back(sum);
      to.tolerance.push_back(bound * scale);
    }
}

void addSum(const Plan& plan, const Roles& roles, uint64_t seed, Expected& to) {
  const std::vector<double> a = inputOf(plan, roles.inputs[0], seed);
  const std::vector<double> b = inputOf(plan, roles.inputs[1], seed);
  const ElementType type = plan.operands[to.operand].spec.type;
  for (size_t i = 0; i < a.size(); ++i) to.values.push_back(asStored(type, a[i] + b[i]));
}

void addTranspose(const Plan& plan, const Roles& roles, uint64_t seed, Expected& to) {
  const std::vector<double> from = inputOf(plan, roles.inputs[0], seed);
  const ResolvedOperand& out = plan.operands[to.operand];
  for (uint64_t row = 0; row < out.rows; ++row)
    for (uint64_t column = 0; column < out.columns; ++column)
      to.values.push_back(from[column * out.rows + row]);
}

void addBlockSums(const Plan& plan, const Roles& roles, uint64_t seed, Expected& to) {
  const std::vector<double> from = inputOf(plan, roles.inputs[0], seed);
  const auto length = static_cast<uint64_t>(plan.elementsPerBlock);
  const bool rounds = isFloatingPoint(plan.operands[to.operand].spec.type);
  const double bound = rounds ? std::ldexp(std::sqrt(static_cast<double>(length)), -22) : 0;
  for (uint64_t block = 0; block < plan.operands[to.operand].elements; ++block) {
    double sum = 0, scale = 0;
    for (uint64_t i = block * length; i < std::min<uint64_t>(from.size(), (block + 1) * length);
         ++i) {
      sum += from[i];
      scale += std::fabs(from[i]);
    }
    to.values.push_back(rounds ? sum : wrapped(plan.operands[to.operand].spec.type, sum));
    to.tolerance.push_back(bound * scale);
  }
}

void addBlockScan(const Plan& plan, const Roles& roles, uint64_t seed, Expected& to) {
  const std::vector<double> from = inputOf(plan, roles.inputs[0], seed);
  const ElementType type = plan.operands[to.operand].spec.type;
  const auto length = static_cast<uint64_t>(plan.elementsPerBlock);
  const bool rounds = isFloatingPoint(type);
  const double bound = rounds ? std::ldexp(std::sqrt(static_cast<double>(length)), -22) : 0;
  PrefixSums prefix(length);
  for (const double element : from) {
    const RightElement sum = prefix.add(element);
    to.values.push_back(rounds ? sum.value : wrapped(type, sum.value));
    to.tolerance.push_back(bound * sum.scale);
  }
}

void addConvolution(const Plan& plan, const Roles& roles, uint64_t seed, Expected& to) {
  const ConvolutionShape shape = convolutionOf(plan, roles);
  const std::vector<double> from = inputOf(plan, roles.inputs[0], seed);
  const std::vector<double> filter = inputOf(plan, *filterOf(plan, roles), seed);
  const double bound = std::ldexp(std::sqrt(static_cast<double>(filter.size())), -22);
  for (uint64_t row = 0; row < shape.rows; ++row)
    for (uint64_t column = 0; column < shape.columns; ++column) {
      const RightElement right = convolved(shape, from, filter, row, column);
      to.values.push_back(right.value);
      to.tolerance.push_back(bound * right.scale);
    }
}

/// Nothing if the operands do not fit together, or if the reference needs too much work.
std::optional<Expected> byReference(const std::string& reference, const Plan& plan, uint64_t seed) {
  const Roles roles = rolesOf(plan);
  if (reference.empty() || !(workOf(reference, plan, roles) <= kMostExpectedWork))
    return std::nullopt;
  Expected to{roles.outputs[0], {}, {}};
  if (reference == "matmul") addProduct(plan, roles, seed, to);
  if (reference == "sum") addSum(plan, roles, seed, to);
  if (reference == "transpose") addTranspose(plan, roles, seed, to);
  if (reference == "block_sums" && plan.elementsPerBlock > 0) addBlockSums(plan, roles, seed, to);
  if (reference == "block_scan" && plan.elementsPerBlock > 0) addBlockScan(plan, roles, seed, to);
  if (reference == "convolution") addConvolution(plan, roles, seed, to);
  if (to.values.size() != plan.operands[to.operand].elements) return std::nullopt;
  to.tolerance.resize(to.values.size());
  return to;
}

Result<Expected> byFormula(const Plan& plan, uint32_t operand, uint64_t seed,
                           const device::Cancelled& stop) {
  compile::Evaluator evaluator;
  for (const auto& [name, value] : plan.bindings) evaluator.set(name, value);
  const ResolvedOperand& out = plan.operands[operand];
  const Status added = addInputs(evaluator, plan, seed, out.spec.expect, stop);
  if (!added) return added.error();
  Expected to{operand, {}, {}};
  for (uint64_t i = 0; i < out.elements; ++i) {
    if (i % kEvaluations == 0 && stop && stop()) return workError("the check was stopped");
    evaluator.set("i", static_cast<int64_t>(i));
    const Result<double> value = evaluator.number(out.spec.expect);
    if (!value) return value.error();
    to.values.push_back(asStored(out.spec.type, *value));
  }
  to.tolerance.resize(to.values.size());
  return to;
}

}  // namespace

bool Expected::isRight(uint64_t element, double value) const {
  return element < values.size() && std::fabs(value - values[element]) <= tolerance[element];
}

Result<std::vector<Expected>> expectedOutputs(const compile::KernelSpec& spec, const Plan& plan,
                                              uint64_t seed, const device::Cancelled& stop) {
  std::vector<Expected> all;
  if (std::optional<Expected> one = byReference(spec.reference, plan, seed))
    all.push_back(std::move(*one));
  for (uint32_t i = 0; i < plan.operands.size(); ++i) {
    const ResolvedOperand& operand = plan.operands[i];
    if (operand.spec.expect.empty() || static_cast<double>(operand.elements) > kMostExpectedWork)
      continue;
    Result<Expected> one = byFormula(plan, i, seed, stop);
    if (!one) return one.error();
    all.push_back(std::move(*one));
  }
  return all;
}

void countWrong(const compile::Plan& plan, const std::vector<Expected>& expected,
                const std::vector<std::vector<std::byte>>& outputs, Check& check) {
  for (const Expected& one : expected) {
    const ElementType type = plan.operands[one.operand].spec.type;
    const std::vector<std::byte>& bytes = outputs[one.operand];
    const std::vector<double> values = elementsAsDoubles(type, bytes);
    check.compared += values.size();
    for (uint64_t i = 0; i < values.size(); ++i) {
      if (one.isRight(i, values[i])) continue;
      ++check.wrong;
      const auto start = bytes.begin() + static_cast<std::ptrdiff_t>(i * bytesOf(type));
      const bool poisoned = check.unwritten > 0 &&
                            std::all_of(start, start + bytesOf(type),
                                        [](std::byte byte) { return byte == device::kPoison; });
      if (!check.firstWrong)
        check.firstWrong = WrongElement{one.operand, i, !poisoned, values[i], one.values[i]};
    }
  }
}

std::optional<bool> dependsOn(const std::string& reference, const Plan& plan, uint64_t element,
                              uint32_t operand, uint64_t of) {
  const Roles roles = rolesOf(plan);
  const auto at = std::ranges::find(roles.inputs, operand) - roles.inputs.begin();
  if (static_cast<size_t>(at) >= roles.inputs.size() || roles.outputs.empty()) return std::nullopt;
  const ResolvedOperand &in = plan.operands[operand], &out = plan.operands[roles.outputs[0]];
  if (reference == "sum" && at < 2) return of == element;
  if (reference == "block_sums" && at == 0 && plan.elementsPerBlock > 0)
    return of / static_cast<uint64_t>(plan.elementsPerBlock) == element;
  if (reference == "block_scan" && at == 0 && plan.elementsPerBlock > 0) {
    const auto length = static_cast<uint64_t>(plan.elementsPerBlock);
    return of / length == element / length && of <= element;
  }
  if (in.columns == 0 || out.columns == 0) return std::nullopt;
  if (reference == "convolution" && at == 0) return convolutionOf(plan, roles).reaches(element, of);
  if (reference == "matmul" && at == 0) return of / in.columns == element / out.columns;
  if (reference == "matmul" && at == 1) return of % in.columns == element % out.columns;
  if (reference == "transpose" && at == 0)
    return of / in.columns == element % out.columns && of % in.columns == element / out.columns;
  return std::nullopt;
}

}  // namespace tilestep::lab
