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

/// The expected value of each output element, for launches small enough to be inspected. The check
/// of a run (lab/reference.h, lab/formula.h) gives only the error of the worst element.
namespace tilestep::lab {

/// The most multiplications, additions or elements that the expected outputs of a launch may need.
constexpr double kMostExpectedWork = 1 << 22;

struct Expected {
  uint32_t operand = 0;
  std::vector<double> values;
  /// The largest allowed error of each element, as in a check; 0 if the value must be exact.
  std::vector<double> tolerance;
  [[nodiscard]] bool isRight(uint64_t element, double value) const;
};

/// Computes the expected outputs from the kernel's reference and `expect`. Empty if the kernel has
/// neither, or if the work would exceed kMostExpectedWork. Errors: operands without the shape that
/// the reference needs, an expression without a value, stopped.
Result<std::vector<Expected>> expectedOutputs(const compile::KernelSpec& spec,
                                              const compile::Plan& plan, uint64_t seed,
                                              const device::Cancelled& stop = {});

/// Counts the wrong elements of `outputs` (by operand) and keeps the first one. Outputs without
/// expected values are skipped.
void countWrong(const compile::Plan& plan, const std::vector<Expected>& expected,
                const std::vector<std::vector<std::byte>>& outputs, Check& check);

/// Whether output element `element` depends on element `of` of input `operand`, according to the
/// kernel's reference. Nothing if the reference does not determine it.
[[nodiscard]] std::optional<bool> dependsOn(const std::string& reference, const compile::Plan& plan,
                                            uint64_t element, uint32_t operand, uint64_t of);

}  // namespace tilestep::lab
