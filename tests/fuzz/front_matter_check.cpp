// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/number_text.h"
#include "compile/front_matter/expression.h"
#include "compile/front_matter/spec.h"
#include "compile/kernel.h"
#include "fuzz/checks.h"

namespace tilestep::fuzz {
namespace {

constexpr const char* kOther =
    "__global__ void other(const float* a, float* b, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) b[i] = a[i];\n"
    "}\n";

std::string checkPlan(const compile::Plan& plan, const Limits& limits) {
  if (plan.launches.empty()) return "a plan without a launch";
  for (const Launch& launch : plan.launches) {
    const Dim3 &block = launch.block, &grid = launch.grid;
    if (block.count() == 0 || block.count() > limits.threadsPerBlock) return "a block too large";
    if (block.x > limits.maxBlock.x || block.y > limits.maxBlock.y || block.z > limits.maxBlock.z)
      return "a side of a block too long";
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) return "a grid without blocks";
    if (grid.x > limits.maxGrid.x || grid.y > limits.maxGrid.y || grid.z > limits.maxGrid.z)
      return "a side of a grid too long";
    if (launch.dynamicSharedBytes > limits.sharedBytesPerBlockOptIn)
      return "too much shared memory";
  }
  uint64_t bytes = 0;
  for (const compile::ResolvedOperand& operand : plan.operands) {
    if (!std::isfinite(operand.scalar)) return "an operand that is no number";
    if (operand.spec.kind != OperandKind::buffer) continue;
    bytes += operand.elements;
    if (bytes > limits.memoryBytes) return "operands beyond the memory";
    if (operand.columns > 0 && operand.elements / operand.columns < operand.rows)
      return "a matrix larger than its buffer";
  }
  if (plan.phases < 0 || plan.phaseLength < 0 || !(plan.operations >= 0)) return "a figure below 0";
  return {};
}

std::string checkSpec(const compile::Spec& spec, std::string_view text) {
  const auto whole = compile::withSpec({"other.cu", kOther, ""}, spec);
  if (!whole) return whole.error().message.empty() ? "a refusal without a reason" : "";
  const Limits limits;
  for (const compile::KernelSpec* kernel : {&spec.kernel, &whole->spec}) {
    const auto plan = compile::plan(*kernel, {}, {}, limits);
    const std::string trouble = plan ? checkPlan(*plan, limits) : checkRefusal(plan.error(), text);
    if (!trouble.empty()) return trouble;
  }
  return {};
}

}  // namespace

std::string checkFrontMatter(std::string_view text) {
  const bool isKernel = text.substr(0, 2) == "/*";
  const compile::KernelSource source =
      isKernel ? compile::KernelSource{"k.cu", std::string(text), ""}
               : compile::KernelSource{"k.cu", kOther, std::string(text)};
  const auto kernel = compile::parseKernel(source);
  // The error's location is in the kernel or in the front matter.
  const std::string longer = source.text + source.frontMatter;
  if (!kernel) {
    if (std::string trouble = checkRefusal(kernel.error(), longer); !trouble.empty())
      return trouble;
  } else {
    const Limits limits;
    const auto plan = compile::plan(*kernel, {}, {}, limits);
    const std::string trouble =
        plan ? checkPlan(*plan, limits) : checkRefusal(plan.error(), longer);
    if (!trouble.empty()) return trouble;
  }
  const auto spec =
      isKernel ? compile::specOf(source) : compile::parseSpec("k.toml", std::string(text));
  return spec ? checkSpec(*spec, longer) : checkRefusal(spec.error(), longer);
}

std::string checkExpression(std::string_view text) {
  compile::Evaluator evaluator;
  evaluator.set("n", 1000);
  evaluator.set("TILE", 16);
  evaluator.set("most", int64_t{1} << 53);
  evaluator.setNumber("run.ms", 0.25);
  evaluator.setElements("A", {1, -2, 3.5, 1e300});
  const std::string expression(text);
  const Status grammar = evaluator.check(expression);
  const auto number = evaluator.number(expression);
  const auto integer = evaluator.integer(expression);
  if (number && !std::isfinite(*number)) return "a value that is not finite";
  if (!number && number.error().message.empty()) return "a refusal without a reason";
  if (!grammar && number) return "an expression without grammar has a value";
  if (integer && !number) return "a whole number that is no number";
  if (integer && static_cast<double>(*integer) != *number) return "two values";
  if (integer && std::abs(*number) > 9007199254740992.0) return "a whole number beyond 2^53";
  if (number) {
    const auto again = evaluator.number(shortestText(*number));
    if (!again || *again != *number) return "a value whose expression has another one";
    const auto inside = evaluator.number("(" + expression + ")");
    if (inside && *inside != *number) return "a value that parentheses change";
  }
  (void)evaluator.expand("{" + expression + "}" + expression);
  return {};
}

}  // namespace tilestep::fuzz
