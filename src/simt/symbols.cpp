// SPDX-License-Identifier: Apache-2.0
#include "ptx/symbols.h"

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

/// Compilers may declare the shared arrays of all kernels of a file at its top.
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
                 const std::vector<std::string>& buffers) {
  for (const ptx::Parameter& parameter : entry.parameters) {
    places_[parameter.name] = {ptx::Space::param, parameter.offset};
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].empty()) continue;
    places_[buffers[i]] = {ptx::Space::global, kGlobalStart + (uint64_t{i} << kGlobalStride)};
  }
  std::vector<const ptx::Variable*> sharedVariables;
  const auto add = [&](const ptx::Variable& variable) {
    if (variable.space == ptx::Space::shared) sharedVariables.push_back(&variable);
    if (variable.space == ptx::Space::local) {
      const uint64_t at = alignUp(localBytes, variable.alignment);
      places_[variable.name] = {ptx::Space::local, at};
      localBytes = static_cast<uint32_t>(alignUp(at + variable.bytes(), 16));
    }
  };
  for (const ptx::Variable& variable : entry.variables) add(variable);
  const auto used = namesUsedBy(entry);
  for (const ptx::Variable& variable : module.variables) {
    if (used.contains(variable.name)) add(variable);
  }
  placeShared(sharedVariables);
}

void Symbols::placeShared(const std::vector<const ptx::Variable*>& variables) {
  uint64_t at = 0, alignment = 1;
  for (const ptx::Variable* variable : variables) {
    if (variable->elements == 0) {
      alignment = std::max<uint64_t>(alignment, variable->alignment);
      continue;
    }
    at = alignUp(at, variable->alignment);
    places_[variable->name] = {ptx::Space::shared, at};
    shared.push_back(
        {variable->name, static_cast<uint32_t>(at), static_cast<uint32_t>(variable->bytes())});
    at += variable->bytes();
  }
  sharedBytes = static_cast<uint32_t>(at);
  // All arrays without a size name the same dynamic memory, behind the sized ones.
  at = alignUp(at, alignment);
  for (const ptx::Variable* variable : variables) {
    if (variable->elements != 0) continue;
    places_[variable->name] = {ptx::Space::shared, at};
    shared.push_back({variable->name, static_cast<uint32_t>(at), 0});
    sharedBytes = static_cast<uint32_t>(at);
  }
}

const Symbols::Place* Symbols::find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &found->second;
}

}  // namespace tilestep::simt
