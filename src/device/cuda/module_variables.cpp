// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/module_variables.h"

#include <algorithm>
#include <utility>

namespace tilestep::cuda {
namespace {

/// Only the driver knows the value of a variable that holds another variable's address.
bool hasKnownValues(const ptx::Variable& variable) {
  return variable.space == ptx::Space::global && !variable.isExtern && variable.bytes() > 0 &&
         variable.references.empty();
}

}  // namespace

ModuleVariables ModuleVariables::of(std::shared_ptr<const ptx::Module> module,
                                    const std::set<std::string>& others) {
  ModuleVariables made;
  if (!module) return made;
  for (const ptx::Variable& variable : module->variables) {
    if (!hasKnownValues(variable) || others.contains(variable.name)) continue;
    made.entries_.emplace_back().variable = &variable;
  }
  made.module_ = std::move(module);
  return made;
}

Status ModuleVariables::bind(const ContextPtr& context, const LoadedModule& loaded) {
  for (Entry& entry : entries_) {
    const ptx::Variable& variable = *entry.variable;
    size_t bytes = 0;
    const ApiResult found =
        context->api().moduleGetGlobal(&entry.address, &bytes, loaded.get(), variable.name.c_str());
    if (found != kSuccess || bytes < variable.bytes()) entry.address = 0;
    const bool isZero = std::ranges::all_of(variable.initial, [](uint8_t b) { return b == 0; });
    if (entry.address == 0 || isZero || entry.first.get() != 0) continue;
    Result<Memory> first = allocate(context, variable.bytes(), "variable " + variable.name);
    if (!first) return first.error();
    entry.first = std::move(*first);
    if (Status s = copyToGpu(*context, entry.first.get(), variable.initial.data(),
                             variable.initial.size(), "Copying " + variable.name + " to the GPU");
        !s) {
      return s;
    }
  }
  return {};
}

Status ModuleVariables::restore(Context& context, StreamHandle stream) const {
  for (const Entry& entry : entries_) {
    if (entry.address == 0) continue;
    const uint64_t bytes = entry.variable->bytes();
    const ApiResult done =
        entry.first.get() != 0
            ? context.api().memcpyDtoDAsync(entry.address, entry.first.get(), bytes, stream)
            : context.api().memsetD8Async(entry.address, 0, bytes, stream);
    if (Status s = context.check(done, "Restoring " + entry.variable->name); !s) return s;
  }
  return {};
}

}  // namespace tilestep::cuda
