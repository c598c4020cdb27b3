// SPDX-License-Identifier: Apache-2.0
#include "simt/setup.h"

#include <algorithm>
#include <cstring>

#include "simt/engines.h"

namespace tilestep::simt {
namespace {

/// Variables of the module that no buffer stands for get memory of their own.
void addVariables(const ptx::Module& module, Setup& setup, std::vector<std::string>& symbols) {
  for (const ptx::Variable& variable : module.variables) {
    const bool constant = variable.space == ptx::Space::constant;
    if (variable.space != ptx::Space::global && !constant) continue;
    const auto known = std::find(symbols.begin(), symbols.end(), variable.name);
    if (known != symbols.end()) {
      Region& region = setup.regions[static_cast<size_t>(known - symbols.begin())];
      region.counted = !constant;
      continue;
    }
    auto& bytes = setup.variables.emplace_back(variable.bytes());
    std::copy_n(variable.initial.begin(), std::min(variable.initial.size(), bytes.size()),
                bytes.begin());
    setup.regions.push_back(
        {addressOf(symbols.size()), bytes.size(), bytes.data(), nullptr, !constant, !constant});
    setup.regionNames.push_back(variable.name);
    symbols.push_back(variable.name);
  }
}

Status fillParameters(const GridRequest& request, const ptx::Function& entry, Setup& setup) {
  if (request.parameters.size() != entry.parameters.size()) {
    return requestError("The kernel " + entry.name + " takes " +
                        std::to_string(entry.parameters.size()) + " parameters, but " +
                        std::to_string(request.parameters.size()) + " operands are described.");
  }
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const ptx::Parameter& parameter = entry.parameters[i];
    const size_t end = parameter.offset + parameter.bytes();
    if (parameter.bytes() > sizeof(uint64_t)) {
      return requestError("Parameter " + parameter.name + " of " + entry.name +
                          " is a structure; operands are buffers and scalars.");
    }
    setup.parameterBlock.resize(std::max(setup.parameterBlock.size(), end));
    std::memcpy(setup.parameterBlock.data() + parameter.offset, &request.parameters[i],
                parameter.bytes());
  }
  return {};
}

Status checkLaunch(const Launch& launch, const ptx::Function& entry) {
  const uint64_t threads = launch.block.count();
  if (threads == 0 || launch.grid.count() == 0) {
    return requestError("The launch of " + entry.name + " has no threads.");
  }
  if (threads > 1024) {
    return requestError("The launch of " + entry.name + " asks for " + std::to_string(threads) +
                        " threads a block; at most 1024 are possible.");
  }
  return {};
}

void nameSharedArrays(const GridRequest& request, Setup& setup) {
  setup.sharedArrays = recordedArrays(setup.program.shared, setup.sharedBytes);
  if (!request.sharedArrays.empty()) setup.sharedArrays = request.sharedArrays;
  if (request.trace && !request.trace->sharedArrays.empty()) {
    setup.sharedArrays = request.trace->sharedArrays;
  }
}

/// The region that a pointer parameter or a variable of the module leads to; -1 for others.
void planTheChecks(const GridRequest& request, const ptx::Function& entry,
                   const std::vector<std::string>& symbols, Setup& setup) {
  const auto regionOf = [&](const std::string& name) {
    for (size_t i = 0; i < symbols.size(); ++i) {
      if (symbols[i] == name) return static_cast<int>(i);
    }
    for (size_t i = 0; i < entry.parameters.size(); ++i) {
      const uint64_t index = (request.parameters[i] - kGlobalStart) >> kGlobalStride;
      if (entry.parameters[i].name == name && index < setup.regions.size()) {
        return static_cast<int>(index);
      }
    }
    return -1;
  };
  setup.checks = planChecks(setup.program, setup.sharedBytes, setup.regions.size(), regionOf);
}

}  // namespace

uint64_t addressOf(size_t buffer) {
  return kGlobalStart + (uint64_t{buffer} << kGlobalStride);
}

Status prepare(const GridRequest& request, Setup& setup) {
  setup.request = &request;
  setup.engine = request.engine != nullptr ? request.engine : engines().front();
  const ptx::Function* entry = request.module->find(request.launch.entry);
  if (entry == nullptr || !entry->isEntry) {
    return requestError("The module has no kernel " + request.launch.entry + ".");
  }
  if (Status launch = checkLaunch(request.launch, *entry); !launch) return launch;
  std::vector<std::string> symbols;
  for (size_t i = 0; i < request.buffers.size(); ++i) {
    const Buffer& buffer = request.buffers[i];
    setup.regions.push_back(
        {addressOf(i), buffer.bytes, buffer.host, buffer.shadow, buffer.writable, true});
    setup.regionNames.push_back(buffer.name);
    symbols.push_back(buffer.symbol);
  }
  addVariables(*request.module, setup, symbols);
  if (Status parameters = fillParameters(request, *entry, setup); !parameters) return parameters;
  const Symbols places(*request.module, *entry, symbols);
  setup.program = decode(*entry, places, *setup.engine, request.check);
  setup.sharedBytes = setup.program.sharedBytes + request.launch.dynamicSharedBytes;
  nameSharedArrays(request, setup);
  if (request.check) planTheChecks(request, *entry, symbols, setup);
  return {};
}

void requestStop(Setup& setup) {
  __atomic_store_n(&setup.stop, 1u, __ATOMIC_RELAXED);
}

bool stopRequested(const Setup& setup) {
  return __atomic_load_n(&setup.stop, __ATOMIC_RELAXED) != 0;
}

}  // namespace tilestep::simt
