// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "lab/experiment.h"

/// What each output element must be, for launches that are small enough to be looked at. The check
/// of a run (lab/reference.h, lab/formula.h) says only how far the worst element is off.
namespace tilestep::lab {

/// No more work than this is done for the outputs of a launch: multiplications, additions,
/// elements.
constexpr double kMostExpectedWork = 1 << 22;

/// The elements of one output operand.
struct Expected {
  uint32_t operand = 0;
  std::vector<double> values;
  /// How far an element may be off, by the same bounds as in a check; 0: it is exact.
  std::vector<double> tolerance;
  [[nodiscard]] bool isRight(uint64_t element, double value) const;
};

/// By the kernel's reference, and by `expect`. Empty where neither is there, and where it would be
/// too much work. Errors: operands that do not have the shape that the reference needs, an
/// expression without a value, and where it was stopped.
Result<std::vector<Expected>> expectedOutputs(const compile::KernelSpec& spec,
                                              const compile::Plan& plan, uint64_t seed,
                                              const device::Cancelled& stop = {});

/// Counts the elements of `outputs` (by operand) that are not what they must be, and keeps the
/// first. Nothing is counted where nothing is expected.
void countWrong(const compile::Plan& plan, const std::vector<Expected>& expected,
                const std::vector<std::vector<std::byte>>& outputs, Check& check);

/// Whether output element `element` depends on element `of` of input `operand`, by the kernel's
/// reference; nothing where that does not say it.
[[nodiscard]] std::optional<bool> dependsOn(const std::string& reference, const compile::Plan& plan,
                                            uint64_t element, uint32_t operand, uint64_t of);

}  // namespace tilestep::lab
