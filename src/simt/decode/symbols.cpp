// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/symbols.h"

#include <algorithm>
#include <set>

#include "simt/program.h"

namespace tilestep::simt {
namespace {

uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return alignment < 2 ? value : (value + alignment - 1) / alignment * alignment;
}

void collectNames(const std::vector<ptx::Operand>& operands, std::set<std::string_view>& names) {
  for (const ptx::Operand& operand : operands) {
    if (!operand.name.empty()) names.insert(operand.name);
    collectNames(operand.elements, names);
  }
}

/// The names that a function uses. A module may declare the shared arrays of other kernels, too.
std::set<std::string_view> namesUsedBy(const ptx::Function& function) {
  std::set<std::string_view> names;
  for (const ptx::Instruction& instruction : function.body) {
    collectNames(instruction.operands, names);
  }
  return names;
}

}  // namespace

std::vector<trace::SharedArray> recordedArrays(const std::vector<SharedVariable>& variables,
                                               uint32_t sharedBytes) {
  std::vector<trace::SharedArray> arrays;
  for (const SharedVariable& variable : variables) {
    const uint32_t bytes = variable.bytes != 0 ? variable.bytes : sharedBytes - variable.offset;
    arrays.push_back({ptx::displayName(variable.name), variable.offset, bytes, 0});
  }
  return arrays;
}

Symbols::Symbols(const ptx::Module& module, const ptx::Function& entry,
                 const std::vector<SymbolAddress>& globals)
    : calls(analyseCalls(module, entry)) {
  for (const ptx::Parameter& parameter : entry.parameters) {
    places_[&entry][parameter.name] = {ptx::Space::param, parameter.offset};
  }
  for (const SymbolAddress& each : globals) {
    if (!each.name.empty()) places_[nullptr][each.name] = {ptx::Space::global, each.address};
  }
  std::vector<Shared> sharedVariables;
  for (const CallGraph::Node& node : calls.nodes) {
    for (const ptx::Variable& variable : node.function->variables) {
      if (variable.space == ptx::Space::shared)
        sharedVariables.push_back({node.function, &variable});
    }
    placeLocal(node);
  }
  std::set<std::string_view> used;
  for (const CallGraph::Node& node : calls.nodes) used.merge(namesUsedBy(*node.function));
  for (const ptx::Variable& variable : module.variables) {
    if (!used.contains(variable.name)) continue;
    if (variable.space == ptx::Space::shared) sharedVariables.push_back({nullptr, &variable});
    if (variable.space != ptx::Space::local) continue;
    const uint64_t at = alignUp(localBytes, variable.alignment);
    places_[nullptr][variable.name] = {ptx::Space::local, at};
    localBytes = static_cast<uint32_t>(alignUp(at + variable.bytes(), 16));
  }
  placeShared(sharedVariables);
}

void Symbols::placeLocal(const CallGraph::Node& node) {
  uint32_t& total = node.recursive ? bytesOfCall_[node.function] : localBytes;
  for (const ptx::Variable& variable : node.function->variables) {
    if (variable.space != ptx::Space::local) continue;
    const uint64_t at = alignUp(total, variable.alignment);
    places_[node.function][variable.name] = {ptx::Space::local, at, node.recursive};
    total = static_cast<uint32_t>(alignUp(at + variable.bytes(), 16));
  }
}

void Symbols::placeShared(const std::vector<Shared>& variables) {
  uint64_t at = 0, alignment = 1;
  for (const auto& [scope, variable] : variables) {
    if (variable->elements == 0) {
      alignment = std::max<uint64_t>(alignment, variable->alignment);
      continue;
    }
    at = alignUp(at, variable->alignment);
    places_[scope][variable->name] = {ptx::Space::shared, at};
    shared.push_back(
        {variable->name, static_cast<uint32_t>(at), static_cast<uint32_t>(variable->bytes())});
    at += variable->bytes();
  }
  sharedBytes = static_cast<uint32_t>(at);
  // All arrays without a size denote the same dynamic memory, which follows the sized arrays.
  at = alignUp(at, alignment);
  for (const auto& [scope, variable] : variables) {
    if (variable->elements != 0) continue;
    places_[scope][variable->name] = {ptx::Space::shared, at};
    shared.push_back({variable->name, static_cast<uint32_t>(at), 0});
    sharedBytes = static_cast<uint32_t>(at);
  }
}

const Symbols::Place* Symbols::find(std::string_view name, const ptx::Function* function) const {
  for (const Scope scope : {function, Scope{nullptr}}) {
    const auto names = places_.find(scope);
    if (names == places_.end()) continue;
    const auto found = names->second.find(name);
    if (found != names->second.end()) return &found->second;
  }
  return nullptr;
}

uint32_t Symbols::bytesOfCall(const ptx::Function* function) const {
  const auto found = bytesOfCall_.find(function);
  return found == bytesOfCall_.end() ? 0 : found->second;
}

}  // namespace tilestep::simt
