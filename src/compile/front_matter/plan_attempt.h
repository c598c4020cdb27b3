// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "compile/front_matter/expression.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// The largest size, because kernels have int parameters for sizes.
constexpr int64_t kLargestSize = 2147483647;

/// The reason why a choice of sizes and tunables cannot run.
struct Obstacle {
  std::string sentence;  ///< Without a full stop.
  bool adjustable =
      true;          ///< Other values may be legal; false if the front matter itself is wrong.
  std::string name;  ///< The name that is out of its range; empty for other obstacles.
};

/// Computes plans of one kernel on one device for many choices of sizes and tunables. Parses the
/// expressions only once. Not thread-safe.
class Planner {
 public:
  Planner(const KernelSpec& spec, const Limits& limits);

  /// `bindings` must contain every size and tunable.
  std::variant<Plan, Obstacle> attempt(const Bindings& bindings);
  /// The work of all attempts so far, for limiting searches. One counts as 1 if the front matter
  /// has fewer than 64 parts (names, rules, operands, shared arrays, launches), otherwise as more.
  [[nodiscard]] size_t work() const { return work_; }

 private:
  std::optional<Obstacle> ranges(const Bindings& bindings) const;
  std::optional<Obstacle> rules();
  std::optional<Obstacle> operands(Plan& plan);
  std::optional<Obstacle> fields(ResolvedOperand& operand);
  std::optional<Obstacle> memory(const Plan& plan) const;
  std::optional<Obstacle> shared(Plan& plan);
  std::optional<Obstacle> launches(Plan& plan);
  std::optional<Obstacle> launchLimits(const Launch& launch, uint64_t staticBytes) const;
  std::optional<Obstacle> dimensions(const std::vector<std::string>& expressions, const char* what,
                                     const Dim3& most, Dim3& result);
  std::optional<Obstacle> figures(Plan& plan);
  /// Evaluates a scalar or field of type `type`.
  std::optional<Obstacle> number(const std::string& expression, ElementType type,
                                 const std::string& what, double& result);
  std::optional<Obstacle> integer(const std::string& expression, const std::string& what,
                                  int64_t least, int64_t& result);
  [[nodiscard]] uint64_t staticSharedBytes(const Plan& plan) const;

  const KernelSpec& spec_;
  const Limits& limits_;
  Evaluator evaluator_;
  size_t work_ = 0;
};

}  // namespace tilestep::compile
