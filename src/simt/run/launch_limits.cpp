// SPDX-License-Identifier: Apache-2.0
#include "simt/run/launch_limits.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "ptx/assembled.h"
#include "ptx/text/symbols.h"

namespace tilestep::simt {
namespace {

/// ptxas rejects more than this ("uses too much shared data"). Source: CUDA C++ Programming Guide,
/// technical specifications: shared memory above 48 KiB must be dynamic.
constexpr uint64_t kMostStaticShared = 48 << 10;
/// ptxas rejects more than this ("uses too much global constant data"). Source: CUDA C++
/// Programming Guide, technical specifications: constant memory size.
constexpr uint64_t kMostConstant = 64 << 10;

/// The numbers of the directive that begins with `name`; empty if the entry does not have it.
std::vector<uint64_t> numbersOf(const ptx::Function& entry, std::string_view name) {
  std::vector<uint64_t> numbers;
  for (const std::string& directive : entry.directives) {
    if (!directive.starts_with(name)) continue;
    uint64_t number = 0;
    bool inNumber = false;
    for (const char c : directive.substr(name.size()) + ",") {
      const bool digit = c >= '0' && c <= '9';
      if (digit) number = std::min<uint64_t>(10 * number + static_cast<uint64_t>(c - '0'), 1 << 20);
      if (!digit && inNumber) numbers.push_back(number);
      if (!digit) number = 0;
      inNumber = digit;
    }
  }
  return numbers;
}

}  // namespace

uint64_t constantBytesOf(const ptx::Module& module) {
  uint64_t bytes = 0;
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space != ptx::Space::constant || variable.isExtern) continue;
    const uint64_t alignment = std::max<uint64_t>(variable.alignment, 1);
    bytes = (bytes + alignment - 1) / alignment * alignment;
    bytes += std::min<uint64_t>(variable.bytes(), uint64_t{1} << 40);
  }
  return bytes;
}

std::optional<std::string> whyNotLaunched(const Launch& launch, const ptx::Function& entry,
                                          const KernelNeeds& needs) {
  const auto& [sharedBytes, constantBytes, registers] = needs;
  const std::string name(ptx::displayName(entry.name));
  const uint64_t threads = launch.block.count();
  // PTX ISA 9.0, .maxntid: the product of its numbers is the limit.
  uint64_t most = 1;
  const std::vector<uint64_t> limits = numbersOf(entry, ".maxntid");
  for (const uint64_t limit : limits) most = std::min<uint64_t>(most * limit, 1 << 20);
  if (!limits.empty() && threads > most) {
    return "The __launch_bounds__ of " + name + " allow " + std::to_string(most) +
           " threads per block, but the launch has " + std::to_string(threads);
  }
  if (registers > 0 && threads > ptx::mostThreadsPerBlock(registers)) {
    return "A thread of " + name + " needs at least " + std::to_string(registers) +
           " registers, so a block can have at most " +
           std::to_string(ptx::mostThreadsPerBlock(registers)) + " threads, but the launch has " +
           std::to_string(threads) + "; write __launch_bounds__(" + std::to_string(threads) +
           ") before its name, and the compiler will use fewer";
  }
  if (sharedBytes > kMostStaticShared) {
    return name + " declares " + std::to_string(sharedBytes) +
           " bytes of shared memory, but only " + std::to_string(kMostStaticShared) +
           " are possible; a larger array must be dynamic (extern __shared__)";
  }
  if (constantBytes > kMostConstant) {
    return "The file of " + name + " declares " + std::to_string(constantBytes) +
           " bytes of constant memory, but only " + std::to_string(kMostConstant) + " are possible";
  }
  return std::nullopt;
}

}  // namespace tilestep::simt
