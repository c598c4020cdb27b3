// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/expression_program.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tilestep::compile {
namespace {

double floorDivided(double a, double b, ExpressionFault& fault) {
  const int64_t x = wholeNumber(a, "floordiv", fault), y = wholeDivisor(b, "floordiv", fault);
  const int64_t quotient = x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
  return static_cast<double>(quotient);
}

double ceilDivided(double a, double b, ExpressionFault& fault) {
  const int64_t x = wholeNumber(a, "ceildiv", fault), y = wholeDivisor(b, "ceildiv", fault);
  const int64_t quotient = x / y + (x % y != 0 && (x < 0) == (y < 0) ? 1 : 0);
  return static_cast<double>(quotient);
}

double remainderOf(double a, double b, ExpressionFault& fault) {
  const int64_t x = wholeNumber(a, "%", fault), y = wholeDivisor(b, "%", fault);
  return static_cast<double>(x % y);
}

double integerRoot(double a, ExpressionFault& fault) {
  const int64_t x = wholeNumber(a, "isqrt", fault);
  if (x < 0) fault.set(ExpressionFault::Kind::negativeRoot, "isqrt");
  if (fault.occurred()) return 0;
  auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(x)));
  while (root * root > x) --root;
  while ((root + 1) * (root + 1) <= x) ++root;
  return static_cast<double>(root);
}

double powerOf(double base, double exponent) {
  return exponent == 2 ? base * base : std::pow(base, exponent);
}

double ofElements(const ExpressionStep& step, double a, double b, ExpressionFault& fault) {
  switch (step.op) {
    case ExpressionOp::sum:
      return step.elements->sum(a, b, fault);
    case ExpressionOp::largest:
      return step.elements->largest(a, b, fault);
    case ExpressionOp::smallest:
      return step.elements->smallest(a, b, fault);
    default:
      return step.elements->count(a, b, fault);
  }
}

}  // namespace

// clang-format off
double evaluate(const ExpressionProgram& program, ExpressionFault& fault) {
  using Op = ExpressionOp;
  std::array<double, kMostNestedParts> stack;  // Not initialized: each value is pushed first.
  double* end = stack.data();                    // Above the last value.
  const ExpressionStep* const steps = program.steps.data();
  const size_t size = program.steps.size();
  for (size_t at = 0; at < size; ++at) {
    const ExpressionStep& step = steps[at];
    switch (step.op) {
      case Op::number: *end++ = step.number; continue;
      case Op::value: *end++ = *step.value; continue;
      case Op::negate: end[-1] = -end[-1]; continue;
      case Op::add: --end; end[-1] += *end; continue;
      case Op::subtract: --end; end[-1] -= *end; continue;
      case Op::multiply: --end; end[-1] *= *end; continue;
      case Op::divide: --end; end[-1] /= *end; continue;
      case Op::power: --end; end[-1] = powerOf(end[-1], *end); continue;
      case Op::less: --end; end[-1] = end[-1] < *end; continue;
      case Op::lessOrEqual: --end; end[-1] = end[-1] <= *end; continue;
      case Op::greater: --end; end[-1] = end[-1] > *end; continue;
      case Op::greaterOrEqual: --end; end[-1] = end[-1] >= *end; continue;
      case Op::equal: --end; end[-1] = end[-1] == *end; continue;
      case Op::notEqual: --end; end[-1] = end[-1] != *end; continue;
      case Op::both: --end; end[-1] = end[-1] != 0 && *end != 0; continue;
      case Op::either: --end; end[-1] = end[-1] != 0 || *end != 0; continue;
      case Op::minimum: --end; end[-1] = std::min(end[-1], *end); continue;
      case Op::maximum: --end; end[-1] = std::max(end[-1], *end); continue;
      case Op::jump: at = step.target - 1; continue;
      case Op::jumpIfZero: if (*--end == 0) at = step.target - 1; continue;
      // The others may fail.
      case Op::remainder: --end; end[-1] = remainderOf(end[-1], *end, fault); break;
      case Op::ceilDivide: --end; end[-1] = ceilDivided(end[-1], *end, fault); break;
      case Op::floorDivide: --end; end[-1] = floorDivided(end[-1], *end, fault); break;
      case Op::root: end[-1] = integerRoot(end[-1], fault); break;
      case Op::element: end[-1] = step.elements->at(end[-1], fault); break;
      default: --end; end[-1] = ofElements(step, end[-1], *end, fault);
    }
    if (fault.occurred()) return 0;
  }
  return end[-1];
}
// clang-format on

}  // namespace tilestep::compile
