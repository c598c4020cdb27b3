// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/launch_spec.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/figure.h"

namespace tilestep::lab {
namespace {

using compile::KernelSpec;
using compile::Plan;
using compile::ResolvedOperand;

std::vector<uint32_t> barrierLinesOf(const trace::BlockTrace& recording) {
  std::vector<uint32_t> lines;
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (event.operation == trace::Operation::barrier && event.warp == 0)
      lines.push_back(event.line);
  }
  return lines;
}

/// The operands of a product, by index.
struct Product {
  size_t left = 0, right = 0, output = 0;
};

std::optional<Product> productOf(const Plan& plan, const LaunchFacts& facts) {
  constexpr std::string_view kTimes = " · ";
  const size_t sign = facts.formula.find(kTimes);
  if (sign == std::string::npos) return std::nullopt;
  const auto find = [&](const std::string& name) {
    return static_cast<size_t>(
        std::ranges::find(plan.operands, name,
                          [](const ResolvedOperand& each) { return each.spec.name; }) -
        plan.operands.begin());
  };
  const Product product{find(facts.formula.substr(0, sign)),
                        find(facts.formula.substr(sign + kTimes.size())), find(facts.output)};
  const size_t count = plan.operands.size();
  if (std::max({product.left, product.right, product.output}) >= count) return std::nullopt;
  const ResolvedOperand& left = plan.operands[product.left];
  const ResolvedOperand& right = plan.operands[product.right];
  const ResolvedOperand& output = plan.operands[product.output];
  const bool fits = left.rows > 0 && left.rows == output.rows && left.columns == right.rows &&
                    right.columns == output.columns;
  return fits ? std::optional(product) : std::nullopt;
}

void nameShape(ResolvedOperand& operand, const std::string& rows, const std::string& columns) {
  operand.spec.rows = rows;
  operand.spec.columns = columns;
  operand.spec.extent = rows + "*" + columns;
}

/// Writes the operands' shapes in terms of m, n and k.
void makeProduct(const Product& product, const LaunchFacts& facts, Plan& plan, KernelSpec& spec) {
  const auto m = static_cast<int64_t>(plan.operands[product.output].rows);
  const auto n = static_cast<int64_t>(plan.operands[product.output].columns);
  const auto k = static_cast<int64_t>(plan.operands[product.left].columns);
  nameShape(plan.operands[product.left], "m", "k");
  nameShape(plan.operands[product.right], "k", "n");
  nameShape(plan.operands[product.output], "m", "n");
  plan.sizes = plan.bindings = {{"m", m}, {"n", n}, {"k", k}};
  plan.operations = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  spec.reference = "matmul";
  spec.sizeOrder = {"m", "n", "k"};
  spec.assumed.push_back(
      {kOperation, facts.output + " seems to be " + facts.formula + ", a product of matrices", 0});
}

void findPhases(const trace::BlockTrace& recording, Plan& plan, KernelSpec& spec) {
  const BarrierLoop loop = loopOf(barrierLinesOf(recording));
  if (loop.period == 0) return;
  plan.phases = loop.passes;
  spec.epochsPerPhase = static_cast<int>(loop.period);
  spec.epochsBefore = static_cast<int>(loop.before);
  const auto k = plan.sizes.find("k");
  const bool isProduct = !spec.reference.empty() && k != plan.sizes.end();
  // If the last phase is shorter, the length of the other phases is unknown.
  if (isProduct && k->second % plan.phases == 0) plan.phaseLength = k->second / plan.phases;
  spec.assumed.push_back(
      {"phases",
       grouped(loop.passes) + " iterations of the loop with " + plural(loop.period, "barrier"), 0});
}

}  // namespace

KernelSpec specOfLaunch(const RunResult& traced, const LaunchFacts& facts) {
  KernelSpec spec;
  Plan plan = traced.plan;
  spec.name = facts.name;
  spec.title = facts.title;
  if (!plan.launches.empty()) spec.entry = plan.launches.front().entry;
  spec.assumed = traced.assumed;
  const auto product = productOf(plan, facts);
  const auto isRefused = [&](const char* what) { return facts.refused.contains(what); };
  if (product && !isRefused(kOperation)) {
    makeProduct(*product, facts, plan, spec);
  } else {
    if (product) spec.assumed.push_back({kOperation, "not treated as a product, as you chose", 0});
    for (const auto& [name, value] : plan.sizes) spec.sizeOrder.push_back(name);
  }
  for (ResolvedOperand& operand : plan.operands) {
    // A buffer without rows is drawn as one row.
    if (operand.spec.kind != OperandKind::buffer || operand.rows != 0) continue;
    operand.rows = 1;
    operand.columns = operand.elements;
  }
  spec.sizes = plan.sizes;
  if (isRefused(kPhases))
    spec.assumed.push_back({kPhases, "not searched for, as you chose", 0});
  else if (traced.trace)
    findPhases(*traced.trace, plan, spec);
  for (const ResolvedOperand& operand : plan.operands) spec.operands.push_back(operand.spec);
  spec.given = std::make_shared<const Plan>(std::move(plan));
  return spec;
}

void takePlan(const KernelSpec& spec, RunResult& result) {
  // With a missing or different operand, the drawing would have the wrong shape.
  const bool fits = spec.given != nullptr &&
                    std::ranges::equal(spec.given->operands, result.plan.operands, {},
                                       &ResolvedOperand::elements, &ResolvedOperand::elements);
  if (!fits) return;
  result.plan = *spec.given;
  // If the operation is unknown, the counted operations are used. Only FP32 operations are counted.
  const bool isFp32 = std::ranges::all_of(result.plan.operands, [](const ResolvedOperand& each) {
    return each.spec.type != ElementType::f64 && each.spec.type != ElementType::f16 &&
           each.spec.type != ElementType::bf16;
  });
  if (!result.counters || result.blockAlone || result.plan.operations != 0 || !isFp32) return;
  const trace::Counters& total = result.counters->total;
  result.plan.operations =
      2.0 * static_cast<double>(total.ffma) + static_cast<double>(total.fadd + total.fmul);
}

BarrierLoop loopOf(const std::vector<uint32_t>& lines) {
  constexpr size_t kLongestPeriod = 8;
  BarrierLoop best;
  size_t covered = 0;
  for (size_t period = 1; period <= kLongestPeriod && 2 * period <= lines.size(); ++period) {
    size_t run = 0;  // How many consecutive lines, up to line i, equal the line `period` earlier.
    for (size_t i = period; i < lines.size(); ++i) {
      run = lines[i] == lines[i - period] ? run + 1 : 0;
      const size_t passes = run / period + 1;
      if (passes < 2 || passes * period <= covered) continue;
      covered = passes * period;
      best = {static_cast<uint32_t>(i + 1 - run - period), static_cast<uint32_t>(period),
              static_cast<uint32_t>(passes)};
    }
  }
  return best;
}

}  // namespace tilestep::lab
