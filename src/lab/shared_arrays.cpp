// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "lab/job.h"
#include "simt/program.h"

namespace tilestep::lab {
namespace {

/// Matches "Mds" in "_ZZ6matmulE3Mds", in "matmul::Mds" and literally.
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
  // Every device uses the interpreter's layout of shared memory.
  const simt::Symbols symbols(module, *entry, {});
  std::vector<trace::SharedArray> arrays;
  for (const compile::Plan::Shared& shared : plan.shared) {
    trace::SharedArray array;
    array.name = shared.name;
    // An array that a program declares with one extent has one index.
    const bool isLine = shared.elementBytes != 0 && shared.rows == 1;
    array.columns = isLine ? 0 : static_cast<uint32_t>(shared.columns);
    const uint32_t each =
        shared.elementBytes != 0 ? shared.elementBytes : elementBytes(plan, shared.holds);
    array.bytes = static_cast<uint32_t>(shared.rows * shared.columns * each);
    const auto isIt = [&](const simt::SharedVariable& variable) {
      // A slice is part of the dynamic shared memory, whose size the host sets at launch.
      return shared.offset >= 0 ? variable.bytes == 0 : isNamed(variable.name, shared.name);
    };
    const auto at = std::find_if(symbols.shared.begin(), symbols.shared.end(), isIt);
    if (at == symbols.shared.end()) return {};
    array.offset = at->offset + static_cast<uint32_t>(std::max<int64_t>(shared.offset, 0));
    arrays.push_back(std::move(array));
  }
  return arrays;
}

}  // namespace tilestep::lab
