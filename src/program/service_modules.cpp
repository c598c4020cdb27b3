// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "metrics/occupancy.h"
#include "program/answers.h"
#include "program/errors.h"
#include "program/service.h"
#include "simt/machine.h"

namespace tilestep::program {
using guest::MemoryKind;

Service::Answer Service::addModule(const Request& request) {
  const Result<uint32_t> number =
      modules_.add({reinterpret_cast<const char*>(request.bytes.data()), request.bytes.size()});
  if (!number) return {kInvalidKernelImage, {}, {}};
  return {0, bytesOf(*number), {}};
}

Service::Answer Service::addFunction(const Request& request) {
  const auto named = request.as<guest::Named>();
  if (!named) return {kInvalidValue, {}, {}};
  const auto text = request.behind<guest::Named>();
  guest::FunctionFacts facts{};
  const Kernel* kernel = modules_.addKernel(
      named->module, {reinterpret_cast<const char*>(text.data()), text.size()}, facts.number);
  if (kernel == nullptr) return {kInvalidDeviceFunction, {}, {}};
  facts.sharedBytes = kernel->sharedBytes;
  facts.localBytes = kernel->localBytes;
  facts.constantBytes = kernel->constantBytes;
  facts.mostThreads = static_cast<int32_t>(kernel->mostThreads);
  facts.registers = static_cast<int32_t>(kernel->registers);
  std::vector<uint8_t> parameters;
  for (const ptx::Parameter& each : kernel->entry->parameters) {
    const auto bytes = bytesOf(guest::Parameter{each.offset, each.bytes()});
    parameters.insert(parameters.end(), bytes.begin(), bytes.end());
    facts.parameterBytes = std::max<uint64_t>(facts.parameterBytes, each.offset + each.bytes());
    ++facts.parameters;
  }
  Answer answer{0, bytesOf(facts), {}};
  answer.data.insert(answer.data.end(), parameters.begin(), parameters.end());
  return answer;
}

Service::Answer Service::addVariable(const Request& request) {
  const auto named = request.as<guest::Named>();
  if (!named) return {kInvalidValue, {}, {}};
  const auto text = request.behind<guest::Named>();
  const std::string name(text.begin(), text.end());
  const ptx::Module* module = modules_.module(named->module);
  if (module == nullptr) return {kInvalidValue, {}, {}};
  const auto found = std::ranges::find(module->variables, name, &ptx::Variable::name);
  const std::lock_guard lock(mutex_);
  const bool isManaged = named->isManaged != 0 && rules_.gpu < 0;
  sharesMemory_ = sharesMemory_ || isManaged;
  Memory::Shared shared;
  Allocation* const made =
      told_ != nullptr
          ? &memory_.adopt(told_->made, named->bytes, MemoryKind::device)
          : memory_.allocate(named->bytes, isManaged ? MemoryKind::managed : MemoryKind::device,
                             isManaged ? &shared : nullptr);
  if (made == nullptr) return {kOutOfMemory, {}, {}};
  made->name = made->symbol = name;
  made->module = named->module;
  std::ranges::fill(made->written, 1);
  made->isSet = found == module->variables.end() || found->space != ptx::Space::constant ||
                !found->initial.empty();
  if (found != module->variables.end() && made->host != nullptr)
    std::copy_n(found->initial.begin(), std::min<size_t>(found->initial.size(), made->bytes),
                made->host);
  if (rules_.gpu < 0) linkVariables(*module, named->module);
  return {0, bytesOf(made->address), std::move(shared.descriptor)};
}

/// Stores the addresses of registered functions and variables in the initial values of a module's
/// variables. All of them are registered before the program's own code runs.
void Service::linkVariables(const ptx::Module& module, uint32_t number) {
  const auto memoryOf = [&](const std::string& symbol) -> Allocation* {
    for (auto& [address, allocation] : memory_.all())
      if (allocation.module == number && allocation.symbol == symbol) return &allocation;
    return nullptr;
  };
  for (const ptx::Variable& variable : module.variables) {
    Allocation* const memory = variable.references.empty() ? nullptr : memoryOf(variable.name);
    if (memory == nullptr || memory->host == nullptr) continue;
    memory->isLinked = true;
    for (const ptx::SymbolReference& reference : variable.references) {
      const ptx::Function* const function = module.find(reference.name);
      const Allocation* const target = memoryOf(reference.name);
      const bool isWhole = reference.bytes == sizeof(uint64_t) && reference.mask == ~0ULL &&
                           memory->holds(memory->address + reference.at, sizeof(uint64_t));
      if ((function == nullptr && target == nullptr) || !isWhole) continue;
      const uint64_t start =
          target != nullptr
              ? target->address
              : simt::codeAddress(static_cast<uint64_t>(function - module.functions.data()));
      const uint64_t address = start + static_cast<uint64_t>(reference.addend);
      std::memcpy(memory->host + reference.at, &address, sizeof address);
    }
  }
}

Service::Answer Service::attribute(const Request& request) {
  const auto wanted = request.as<guest::FunctionAttribute>();
  Kernel* const kernel = wanted ? modules_.kernel(wanted->function) : nullptr;
  if (kernel == nullptr) return {kInvalidDeviceFunction, {}, {}};
  constexpr int kMostDynamicBytes = 8;
  if (wanted->attribute != kMostDynamicBytes) return {};
  const uint64_t most = rules_.device.sharedPerBlockOptin;
  if (wanted->value < 0 || static_cast<uint64_t>(wanted->value) + kernel->sharedBytes > most)
    return {kInvalidValue, {}, {}};
  kernel->mostDynamicBytes = static_cast<uint64_t>(wanted->value);
  return {};
}

Service::Answer Service::occupancy(const Request& request) {
  const auto wanted = request.as<guest::Occupancy>();
  const Kernel* const kernel = wanted ? modules_.kernel(wanted->function) : nullptr;
  if (kernel == nullptr) return {kInvalidDeviceFunction, {}, {}};
  const guest::DeviceFacts& device = rules_.device;
  if (wanted->threads == 0) return {kInvalidValue, {}, {}};
  if (wanted->blocks != 0) {
    const uint64_t each = device.sharedPerMultiprocessor / wanted->blocks;
    const uint64_t taken = device.sharedReserved + kernel->sharedBytes;
    const uint64_t left =
        std::min(each > taken ? each - taken : 0, device.sharedPerBlock - kernel->sharedBytes);
    return {0, bytesOf(left), {}};
  }
  metrics::BlockNeeds needs;
  needs.threads = wanted->threads;
  needs.registersPerThread = kernel->registers;
  needs.sharedBytes = static_cast<uint32_t>(
      std::min<uint64_t>(kernel->sharedBytes + wanted->dynamicBytes, UINT32_MAX));
  const metrics::Occupancy found = metrics::occupancy(multiprocessorOf(device), needs);
  return {0, bytesOf(uint64_t{found.refusal.empty() ? found.blocks : 0}), {}};
}

/// Reports constants that the kernel uses and that were never copied to.
void Service::findUnsetConstants(const Kernel& kernel, const LaunchRecord& launch) {
  for (auto& [address, allocation] : memory_.all()) {
    if (allocation.symbol.empty() || allocation.isSet || allocation.module != kernel.moduleNumber)
      continue;
    const bool isNamed = std::ranges::any_of(kernel.entry->body, [&](const auto& instruction) {
      return std::ranges::find(instruction.operands, allocation.symbol, &ptx::Operand::name) !=
             instruction.operands.end();
    });
    if (!isNamed) continue;
    allocation.isSet = true;  // Prevents a second report.
    served_.findings.push_back(
        {"never-copied", Severity::remark, launch.place,
         launch.kernel + " uses " + allocation.name +
             ", which is all 0, because nothing was copied to it. Use cudaMemcpyToSymbol"});
  }
}

}  // namespace tilestep::program
