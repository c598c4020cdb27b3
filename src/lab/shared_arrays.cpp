// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lab/job.h"

namespace tilestep::lab {
namespace {

struct Placed {
  const ptx::Variable* variable = nullptr;
  uint32_t offset = 0;
};

/// The shared variables that the entry sees, as every device lays them out: those with a size in
/// the order of their declarations, then all extern ones at one place behind them.
std::vector<Placed> layoutOf(const ptx::Module& module, const ptx::Function& entry) {
  std::vector<const ptx::Variable*> variables;
  for (const auto* list : {&module.variables, &entry.variables}) {
    for (const ptx::Variable& variable : *list) {
      if (variable.space == ptx::Space::shared) variables.push_back(&variable);
    }
  }
  std::stable_partition(variables.begin(), variables.end(),
                        [](const ptx::Variable* variable) { return variable->elements != 0; });
  std::vector<Placed> placed;
  uint64_t end = 0, aligned = 0;
  for (const ptx::Variable* variable : variables) {
    const uint64_t alignment = std::max<uint64_t>(variable->alignment, 1);
    aligned = (end + alignment - 1) / alignment * alignment;
    placed.push_back({variable, static_cast<uint32_t>(aligned)});
    end = aligned + variable->bytes();
  }
  return placed;
}

/// "Mds" in "_ZZ6matmulE3Mds", in "matmul::Mds" and plainly.
bool isNamed(const std::string& symbol, const std::string& name) {
  if (symbol == name || symbol.ends_with("::" + name)) return true;
  const std::string mangled = std::to_string(name.size()) + name;
  const size_t at = symbol.rfind(mangled);
  if (!symbol.starts_with("_Z") || at == std::string::npos) return false;
  const std::string rest = symbol.substr(at + mangled.size());
  return rest.empty() || rest.starts_with("_") || rest.starts_with("E");
}

uint32_t elementBytes(const compile::Plan& plan, const std::string& operand) {
  for (const compile::ResolvedOperand& resolved : plan.operands) {
    if (resolved.spec.name == operand) return bytesOf(resolved.spec.type);
  }
  return 4;
}

}  // namespace

std::vector<trace::SharedArray> sharedArraysOf(const compile::Plan& plan,
                                               const ptx::Module& module) {
  if (plan.launches.empty()) return {};
  const ptx::Function* entry = module.find(plan.launches.front().entry);
  if (!entry) return {};
  const std::vector<Placed> layout = layoutOf(module, *entry);
  std::vector<trace::SharedArray> arrays;
  for (const compile::Plan::Shared& shared : plan.shared) {
    trace::SharedArray array;
    array.name = shared.name;
    array.columns = static_cast<uint32_t>(shared.columns);
    array.bytes = static_cast<uint32_t>(shared.rows * shared.columns *
                                        elementBytes(plan, shared.holds));
    const auto at = std::find_if(layout.begin(), layout.end(), [&](const Placed& placed) {
      // A slice lies in the array that the host sizes at launch.
      return shared.offset >= 0 ? placed.variable->elements == 0
                                : isNamed(placed.variable->name, shared.name);
    });
    if (at == layout.end()) return {};
    array.offset = at->offset + static_cast<uint32_t>(std::max<int64_t>(shared.offset, 0));
    arrays.push_back(std::move(array));
  }
  return arrays;
}

}  // namespace tilestep::lab
