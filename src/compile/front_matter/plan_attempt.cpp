// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/plan_attempt.h"

#include <algorithm>

#include "base/figure.h"
#include "base/library_product.h"
#include "base/nearest_name.h"
#include "base/printable.h"
#include "compile/front_matter/entries.h"
#include "compile/front_matter/tunable_values.h"

namespace tilestep::compile {
namespace {

std::string num(int64_t value) {
  return std::to_string(value);
}
std::string bytes(uint64_t value) {
  return grouped(value) + " bytes";
}

std::string acceptedText(const TunableSpec& tunable) {
  if (!tunable.values.empty()) {
    std::vector<std::string> values;
    for (const int64_t value : tunable.values) values.push_back(num(value));
    return listed(values);
  }
  std::string text = num(tunable.minimum) + " to " + num(tunable.maximum);
  if (tunable.step > 1) text += " in steps of " + num(tunable.step);
  return text;
}

}  // namespace

Planner::Planner(const KernelSpec& spec, const Limits& limits) : spec_(spec), limits_(limits) {
  evaluator_.set("THREADS_MAX", limits.threadsPerBlock);
  evaluator_.set("SHARED_BYTES_MAX", limits.sharedBytesPerBlockOptIn);
  evaluator_.set("SHARED_BYTES_STATIC", limits.sharedBytesPerBlock);
  evaluator_.set("MULTIPROCESSORS", limits.multiprocessors);
}

std::variant<Plan, Obstacle> Planner::attempt(const Bindings& bindings) {
  if (spec_.given != nullptr) return *spec_.given;
  constexpr size_t kParts = 64;
  work_ += 1 + (bindings.size() + spec_.rules.size() + spec_.operands.size() + spec_.shared.size() +
                spec_.launches.size()) /
                   kParts;
  if (auto problem = ranges(bindings)) return *problem;
  for (const auto& [name, value] : bindings) evaluator_.set(name, value);
  Plan plan;
  plan.bindings = bindings;
  for (const auto& [name, value] : bindings) {
    (spec_.sizes.count(name) ? plan.sizes : plan.tunables)[name] = value;
  }
  if (auto problem = rules()) return *problem;
  if (auto problem = operands(plan)) return *problem;
  if (auto problem = memory(plan)) return *problem;
  if (auto problem = shared(plan)) return *problem;
  if (auto problem = launches(plan)) return *problem;
  if (auto problem = figures(plan)) return *problem;
  return plan;
}

std::optional<Obstacle> Planner::ranges(const Bindings& bindings) const {
  for (const TunableSpec& tunable : spec_.tunables) {
    const int64_t value = bindings.at(tunable.name);
    if (takes(tunable, value)) continue;
    return Obstacle{tunable.name + " is " + num(value) + "; " + spec_.name + " accepts " +
                        acceptedText(tunable),
                    true, tunable.name};
  }
  for (const auto& [name, fallback] : spec_.sizes) {
    const int64_t value = bindings.at(name);
    if (value >= 1 && value <= kLargestSize) continue;
    return Obstacle{
        "the size " + name + " is " + num(value) + "; sizes must be 1 to " + num(kLargestSize),
        true, name};
  }
  return std::nullopt;
}

std::optional<Obstacle> Planner::rules() {
  for (const Rule& rule : spec_.rules) {
    const Result<double> value = evaluator_.number(rule.expression);
    if (!value) return Obstacle{value.error().message};
    if (*value != 0) continue;
    // On one line, so that no part of the message can look like a line of a report.
    std::string sentence = printableLine(evaluator_.expand(rule.say));
    while (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
    return Obstacle{sentence};
  }
  return std::nullopt;
}

std::optional<Obstacle> Planner::integer(const std::string& expression, const std::string& what,
                                         int64_t least, int64_t& result) {
  const Result<int64_t> value = evaluator_.integer(expression);
  if (!value) return Obstacle{what + ": " + value.error().message};
  result = *value;
  if (result >= least) return std::nullopt;
  return Obstacle{what + " is " + num(result) + " (" + expression + "); it must be " + num(least) +
                  " or more"};
}

namespace {

bool hasFractions(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::f16 ||
         type == ElementType::bf16;
}

}  // namespace

std::optional<Obstacle> Planner::number(const std::string& expression, ElementType type,
                                        const std::string& what, double& result) {
  if (hasFractions(type)) {
    const Result<double> value = evaluator_.number(expression);
    if (!value) return Obstacle{what + ": " + value.error().message};
    result = *value;
    return std::nullopt;
  }
  int64_t whole = 0;
  auto problem = integer(expression, what, INT64_MIN, whole);
  result = static_cast<double>(whole);
  return problem;
}

std::optional<Obstacle> Planner::fields(ResolvedOperand& operand) {
  for (const FieldSpec& field : operand.spec.fields) {
    double& value = operand.fields.emplace_back(0);
    if (field.value.empty()) continue;
    const std::string what =
        "field " + std::to_string(operand.fields.size()) + " of " + operand.spec.name;
    if (auto problem = number(field.value, field.type, what, value)) return problem;
  }
  return std::nullopt;
}

std::optional<Obstacle> Planner::operands(Plan& plan) {
  for (const OperandSpec& spec : spec_.operands) {
    ResolvedOperand operand;
    operand.spec = spec;
    int64_t rows = 0, columns = 0, elements = 0;
    std::optional<Obstacle> problem;
    if (!spec.fields.empty()) {
      problem = fields(operand);
    } else if (spec.kind == OperandKind::scalar) {
      problem = number(spec.value, spec.type, "the scalar " + spec.name, operand.scalar);
    } else {
      if (!spec.rows.empty()) problem = integer(spec.rows, spec.name + "'s rows", 1, rows);
      if (!problem && !spec.columns.empty()) {
        problem = integer(spec.columns, spec.name + "'s columns", 1, columns);
      }
      if (!problem) problem = integer(spec.extent, spec.name + "'s extent", 1, elements);
    }
    if (problem) return problem;
    operand.rows = static_cast<uint64_t>(rows);
    operand.columns = static_cast<uint64_t>(columns);
    operand.elements = static_cast<uint64_t>(elements);
    plan.operands.push_back(std::move(operand));
  }
  return std::nullopt;
}

std::optional<Obstacle> Planner::memory(const Plan& plan) const {
  uint64_t total = 0;
  std::vector<std::string> names;
  for (const ResolvedOperand& operand : plan.operands) {
    if (operand.spec.kind == OperandKind::scalar) continue;
    const uint64_t width = bytesOf(operand.spec.type);
    const uint64_t room = UINT64_MAX - total;
    total = operand.elements > room / width ? UINT64_MAX : total + operand.elements * width;
    names.push_back(operand.spec.name);
  }
  if (total <= limits_.memoryBytes) return std::nullopt;
  return Obstacle{listed(names) + (names.size() == 1 ? " needs " : " need ") +
                  (total == UINT64_MAX ? "more than " : "") + bytes(total) + "; " + limits_.device +
                  " has " + bytes(limits_.memoryBytes)};
}

std::optional<Obstacle> Planner::shared(Plan& plan) {
  for (const SharedSpec& spec : spec_.shared) {
    Plan::Shared shared{spec.name, spec.holds};
    const std::string what = "the shared array " + spec.name;
    if (auto problem = integer(spec.rows, what + "'s rows", 1, shared.rows)) return problem;
    if (auto problem = integer(spec.columns, what + "'s columns", 1, shared.columns)) {
      return problem;
    }
    if (!spec.offset.empty()) {
      if (auto problem = integer(spec.offset, what + "'s offset", 0, shared.offset)) return problem;
    }
    plan.shared.push_back(std::move(shared));
  }
  return std::nullopt;
}

// The bytes of the shared arrays that the front matter describes. After compiling, the compiler's
// number is used instead.
uint64_t Planner::staticSharedBytes(const Plan& plan) const {
  double total = 0;
  for (const Plan::Shared& shared : plan.shared) {
    if (shared.offset >= 0) continue;
    ElementType type = ElementType::f32;
    for (const OperandSpec& operand : spec_.operands) {
      if (operand.name == shared.holds) type = operand.type;
    }
    total += static_cast<double>(shared.rows) * static_cast<double>(shared.columns) * bytesOf(type);
  }
  return static_cast<uint64_t>(std::min(total, 1e18));
}

std::optional<Obstacle> Planner::launches(Plan& plan) {
  const uint64_t staticBytes = staticSharedBytes(plan);
  for (const LaunchSpec& spec : spec_.launches) {
    Launch launch;
    const std::string& entry = spec.entry.empty() ? spec_.entry : spec.entry;
    launch.entry = isLibraryProduct(entry) ? entry : moduleNameOf(entry);
    launch.cooperative = spec.cooperative;
    if (auto problem = dimensions(spec.block, "block", limits_.maxBlock, launch.block)) {
      return problem;
    }
    if (auto problem = dimensions(spec.grid, "grid", limits_.maxGrid, launch.grid)) return problem;
    int64_t dynamicBytes = 0;
    if (!spec.dynamicSharedBytes.empty()) {
      if (auto problem =
              integer(spec.dynamicSharedBytes, "dynamic_shared_bytes", 0, dynamicBytes)) {
        return problem;
      }
    }
    launch.dynamicSharedBytes = static_cast<uint32_t>(std::min<int64_t>(dynamicBytes, UINT32_MAX));
    if (auto problem = launchLimits(launch, staticBytes)) return problem;
    plan.launches.push_back(std::move(launch));
  }
  return std::nullopt;
}

std::optional<Obstacle> Planner::dimensions(const std::vector<std::string>& expressions,
                                            const char* what, const Dim3& most, Dim3& result) {
  uint32_t* parts[] = {&result.x, &result.y, &result.z};
  const uint32_t limit[] = {most.x, most.y, most.z};
  for (size_t i = 0; i < expressions.size() && i < 3; ++i) {
    const std::string name = std::string("the ") + what + "'s " + "xyz"[i];
    int64_t value = 0;
    if (auto problem = integer(expressions[i], name, 1, value)) return problem;
    if (value > limit[i]) {
      return Obstacle{name + " is " + num(value) + "; " + limits_.device + " allows 1 to " +
                      num(limit[i])};
    }
    *parts[i] = static_cast<uint32_t>(value);
  }
  return std::nullopt;
}

std::optional<Obstacle> Planner::launchLimits(const Launch& launch, uint64_t staticBytes) const {
  if (launch.block.count() > limits_.threadsPerBlock) {
    return Obstacle{"a block of " + num(launch.block.x) + " x " + num(launch.block.y) +
                    (launch.block.z > 1 ? " x " + num(launch.block.z) : "") + " has " +
                    grouped(launch.block.count()) + " threads; " + limits_.device +
                    " runs at most " + grouped(limits_.threadsPerBlock) + " per block"};
  }
  if (staticBytes > limits_.sharedBytesPerBlock) {
    return Obstacle{spec_.name + "'s shared arrays need " + bytes(staticBytes) + " per block; " +
                    limits_.device + " allows at most " + bytes(limits_.sharedBytesPerBlock)};
  }
  const uint64_t all = staticBytes + launch.dynamicSharedBytes;
  const uint32_t most = std::max(limits_.sharedBytesPerBlockOptIn, limits_.sharedBytesPerBlock);
  if (all > most) {
    return Obstacle{spec_.name + " needs " + bytes(all) + " of shared memory per block; " +
                    limits_.device + " allows at most " + bytes(most)};
  }
  return std::nullopt;
}

std::optional<Obstacle> Planner::figures(Plan& plan) {
  if (!spec_.operations.empty()) {
    const Result<double> value = evaluator_.number(spec_.operations);
    if (!value) return Obstacle{"operations: " + value.error().message};
    plan.operations = *value;
  }
  if (!spec_.phases.empty()) {
    if (auto problem = integer(spec_.phases, "phases", 0, plan.phases)) return problem;
  }
  if (!spec_.phaseLength.empty()) {
    if (auto problem = integer(spec_.phaseLength, "phase_length", 1, plan.phaseLength)) {
      return problem;
    }
  }
  if (!spec_.elementsPerBlock.empty()) {
    return integer(spec_.elementsPerBlock, "elements_per_block", 1, plan.elementsPerBlock);
  }
  return std::nullopt;
}

}  // namespace tilestep::compile
