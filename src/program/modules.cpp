// SPDX-License-Identifier: Apache-2.0
#include "program/modules.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "program/registers.h"
#include "ptx/text/parser.h"
#include "simt/program.h"
#include "simt/run/launch_limits.h"

namespace tilestep::program {
namespace {

/// The name in "void tile<16>(float*, int)": "tile<16>".
std::string plainName(const std::string& mangled) {
  int status = 0;
  char* const text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth == 0 && name[i] == '(' && i > 0 && !name.substr(i).starts_with("(anonymous")) {
      name.resize(i);
      break;
    }
  }
  if (name.starts_with("void ")) name.erase(0, 5);
  return name;
}

/// The most threads of a block, from ".maxntid 256, 1, 1".
uint32_t mostThreads(const ptx::Function& entry) {
  constexpr uint64_t kMost = 1024;
  for (const std::string& directive : entry.directives) {
    if (!directive.starts_with(".maxntid")) continue;
    uint64_t threads = 1;
    const char* at = directive.c_str() + std::string_view(".maxntid").size();
    for (int axis = 0; axis < 3; ++axis) {
      char* end = nullptr;
      const uint64_t value = std::strtoul(at, &end, 10);
      if (end == at) break;
      threads *= std::clamp<uint64_t>(value, 1, kMost);
      at = *end == ',' ? end + 1 : end;
    }
    return static_cast<uint32_t>(std::min(threads, kMost));
  }
  return kMost;
}

}  // namespace

Result<uint32_t> Modules::add(std::string_view text) {
  Result<ptx::Module> module = ptx::parse(text, "the program's PTX");
  if (!module) return module.error();
  modules_.push_back({std::make_shared<const ptx::Module>(std::move(*module)),
                      std::make_shared<const std::string>(text)});
  assembled_.push_back(registersIn(text));
  return static_cast<uint32_t>(modules_.size() - 1);
}

Kernel* Modules::addKernel(uint32_t module, const std::string& name, uint32_t& number) {
  if (module >= modules_.size()) return nullptr;
  const Loaded& loaded = modules_[module];
  const ptx::Function* entry = loaded.module->find(name);
  if (entry == nullptr || !entry->isEntry) return nullptr;
  const simt::Symbols symbols(*loaded.module, *entry, {});
  Kernel kernel{loaded.module,
                loaded.text,
                module,
                entry,
                plainName(name),
                symbols.sharedBytes,
                symbols.localBytes,
                simt::constantBytesOf(*loaded.module),
                mostThreads(*entry)};
  const auto assembled = assembled_[module].find(name);
  if (assembled != assembled_[module].end()) kernel.registers = assembled->second.registers;
  number = static_cast<uint32_t>(kernels_.size());
  return &kernels_.emplace_back(std::move(kernel));
}

Kernel* Modules::kernel(uint32_t number) {
  return number < kernels_.size() ? &kernels_[number] : nullptr;
}

const ptx::Module* Modules::module(uint32_t number) const {
  return number < modules_.size() ? modules_[number].module.get() : nullptr;
}

}  // namespace tilestep::program
