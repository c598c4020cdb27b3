// SPDX-License-Identifier: Apache-2.0
#include "compile/kernel.h"

#include <algorithm>

namespace tilestep::compile {

KernelSpec::KernelSpec() = default;
KernelSpec::KernelSpec(const KernelSpec& other) = default;
KernelSpec::KernelSpec(KernelSpec&& other) noexcept = default;
KernelSpec& KernelSpec::operator=(const KernelSpec& other) = default;
KernelSpec& KernelSpec::operator=(KernelSpec&& other) noexcept = default;
KernelSpec::~KernelSpec() = default;

bool isInput(const OperandSpec& operand) {
  return operand.kind != OperandKind::scalar && operand.direction != Direction::out;
}

bool isCheckable(const KernelSpec& spec) {
  return !spec.reference.empty() ||
         std::ranges::any_of(spec.operands, [](const auto& one) { return !one.expect.empty(); });
}

Plan::Plan() = default;
Plan::Plan(const Plan& other) = default;
Plan::Plan(Plan&& other) noexcept = default;
Plan& Plan::operator=(const Plan& other) = default;
Plan& Plan::operator=(Plan&& other) noexcept = default;
Plan::~Plan() = default;

}  // namespace tilestep::compile
