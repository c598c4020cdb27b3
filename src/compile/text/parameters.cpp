// SPDX-License-Identifier: Apache-2.0
#include "compile/text/parameters.h"

#include <algorithm>

#include "base/nearest_name.h"
#include "compile/front_matter/entries.h"
#include "compile/front_matter/structure.h"
#include "compile/front_matter/symbols.h"

namespace tilestep::compile {
namespace {

uint64_t bytesAsParameter(const OperandSpec& operand) {
  if (!operand.fields.empty()) return layoutOf(operand).bytes;
  return operand.kind == OperandKind::scalar ? bytesOf(operand.type) : 8;
}

Error noEntry(const KernelSpec& spec, const std::string& entry, const ptx::Module& module) {
  std::vector<std::string> names;
  size_t overloads = 0;
  for (const ptx::Function& function : module.functions) {
    if (!function.isEntry || function.isExtern) continue;
    names.push_back(function.name);
    if (plainName(function.name) == entry) ++overloads;
  }
  if (overloads > 1) return overloadedEntry(entry);
  const std::string none = spec.name + " has no __global__ function " + entry + "; ";
  if (names.empty()) {
    return requestError(
        none +
        "the compiler found no such function; write one, or fix the #if lines that exclude it");
  }
  return requestError(none + "it has " + listedFirst(names) + "; fix entry in the front matter");
}

Status checkEntry(const KernelSpec& spec, const ptx::Function& entry) {
  std::vector<OperandSpec> operands;
  std::vector<std::string> names;
  for (const OperandSpec& operand : spec.operands) {
    if (operand.kind == OperandKind::symbol || operand.held) continue;
    operands.push_back(operand);
    names.push_back(operand.name);
  }
  const size_t parameters = entry.parameters.size();
  if (operands.size() != parameters) {
    return requestError(entry.name + " has " + std::to_string(parameters) +
                        " parameters, but there are " + std::to_string(operands.size()) +
                        " operands for them (" + listed(names) +
                        "); each parameter needs one operand");
  }
  for (size_t i = 0; i < parameters; ++i) {
    const uint64_t have = entry.parameters[i].bytes(), want = bytesAsParameter(operands[i]);
    if (have == want) continue;
    return requestError("parameter " + std::to_string(i + 1) + " of " + entry.name + " has " +
                        std::to_string(have) + " bytes, but the operand " + operands[i].name +
                        " has " + std::to_string(want) +
                        "; operands must have the order and the types of the parameters");
  }
  return {};
}

}  // namespace

Status checkParameters(const KernelSpec& spec, const ptx::Module& module) {
  for (const LaunchSpec& launch : spec.launches) {
    const std::string name = moduleNameOf(launch.entry.empty() ? spec.entry : launch.entry);
    const ptx::Function* entry = module.find(name);
    if (!entry || !entry->isEntry) return noEntry(spec, name, module);
    if (Status checked = checkEntry(spec, *entry); !checked) return checked;
  }
  for (const OperandSpec& operand : spec.operands) {
    if (operand.kind != OperandKind::symbol) continue;
    const auto& variables = module.variables;
    const bool found = std::any_of(variables.begin(), variables.end(), [&](const auto& variable) {
      return plainName(variable.name) == operand.name;
    });
    if (!found) return requestError(spec.name + " has no variable " + operand.name);
  }
  return {};
}

}  // namespace tilestep::compile
