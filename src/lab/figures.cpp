// SPDX-License-Identifier: Apache-2.0
#include "lab/figures.h"

#include <algorithm>

#include "base/library_product.h"
#include "compile/front_matter/structure.h"

namespace tilestep::lab {
namespace {

/// `amount` divided by the median time, in 1e9 per second.
std::optional<double> perSecond(const RunResult& result, double amount) {
  if (!result.measurement || result.measurement->medianMs <= 0) return std::nullopt;
  return amount / (result.measurement->medianMs * 1e6);
}

/// The element size of a shared array; 4 if the array names no operand.
uint64_t elementBytesOf(const compile::Plan& plan, const std::string& operand) {
  for (const compile::ResolvedOperand& resolved : plan.operands) {
    if (resolved.spec.name == operand) return bytesOf(resolved.spec.type);
  }
  return 4;
}

/// The bytes of one parameter; 0 if the operand is not a parameter.
uint32_t argumentBytes(const compile::ResolvedOperand& operand) {
  constexpr uint32_t kPointer = 8;
  if (operand.spec.held || operand.spec.kind == OperandKind::symbol) return 0;
  if (operand.spec.kind == OperandKind::buffer) return kPointer;
  if (!operand.spec.fields.empty()) {
    return static_cast<uint32_t>(compile::layoutOf(operand.spec).bytes);
  }
  return static_cast<uint32_t>(bytesOf(operand.spec.type));
}

}  // namespace

std::optional<double> gflopsOf(const RunResult& result) {
  if (result.plan.operations <= 0) return std::nullopt;
  return perSecond(result, result.plan.operations);
}

std::optional<double> askedBandwidthGbsOf(const RunResult& result) {
  if (!result.counters) return std::nullopt;
  const trace::Counters& total = result.counters->total;
  return perSecond(result, static_cast<double>(total.globalLoad.bytes + total.globalStore.bytes));
}

uint64_t compulsoryBytesOf(const compile::Plan& plan) {
  uint64_t bytes = 0;
  for (const compile::ResolvedOperand& operand : plan.operands) {
    if (operand.spec.kind != OperandKind::buffer) continue;
    const uint64_t once = operand.elements * bytesOf(operand.spec.type);
    bytes += operand.spec.direction == Direction::inout ? 2 * once : once;
  }
  return bytes;
}

uint64_t compulsoryReadBytesOf(const compile::Plan& plan) {
  uint64_t bytes = 0;
  for (const compile::ResolvedOperand& operand : plan.operands) {
    if (operand.spec.kind != OperandKind::buffer) continue;
    if (operand.spec.direction != Direction::out) {
      bytes += operand.elements * bytesOf(operand.spec.type);
    }
  }
  return bytes;
}

std::optional<metrics::Multiprocessor> multiprocessorOf(const device::DeviceInfo& device) {
  const auto capability = metrics::parseComputeCapability(device.computeCapability.value_or(""));
  if (!capability || device.threadsPerMultiprocessor == 0) return {};
  metrics::Multiprocessor sm;
  sm.major = capability->major;
  sm.minor = capability->minor;
  sm.threads = device.threadsPerMultiprocessor;
  sm.blocks = device.blocksPerMultiprocessor;
  sm.registers = device.registersPerMultiprocessor;
  sm.sharedBytes = device.sharedBytesPerMultiprocessor;
  sm.sharedBytesReservedPerBlock = device.sharedBytesReservedPerBlock;
  sm.threadsPerBlock = device.limits.threadsPerBlock;
  sm.sharedBytesPerBlock = device.limits.sharedBytesPerBlockOptIn;
  return sm;
}

uint32_t plannedSharedBytes(const compile::Plan& plan) {
  uint64_t bytes = 0;
  for (const compile::Plan::Shared& shared : plan.shared) {
    if (shared.offset >= 0) continue;  // Part of the launch's dynamic shared memory.
    const uint64_t each =
        shared.elementBytes != 0 ? shared.elementBytes : elementBytesOf(plan, shared.holds);
    bytes += static_cast<uint64_t>(shared.rows * shared.columns) * each;
  }
  if (!plan.launches.empty()) bytes += plan.launches.front().dynamicSharedBytes;
  return static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
}

metrics::BlockNeeds needsOf(const compile::Plan& plan, uint32_t sharedBytes, uint32_t registers) {
  metrics::BlockNeeds needs{1, registers, sharedBytes};
  if (plan.launches.empty()) return needs;
  needs.threads = static_cast<uint32_t>(plan.launches.front().block.count());
  for (const compile::ResolvedOperand& operand : plan.operands)
    needs.argumentBytes += argumentBytes(operand);
  return needs;
}

std::optional<metrics::Occupancy> occupancyOf(const device::DeviceInfo& device,
                                              const RunResult& result) {
  const auto sm = multiprocessorOf(device);
  if (!sm || result.plan.launches.empty() || isLibraryProduct(result.kernel)) return {};
  return metrics::occupancy(*sm,
                            needsOf(result.plan, result.sharedBytes, result.registers.value_or(0)));
}

std::vector<std::pair<std::string, int64_t>> orderedSizes(const compile::Bindings& sizes) {
  std::vector<std::pair<std::string, int64_t>> ordered;
  for (const char* first : {"m", "n", "k"}) {
    if (const auto at = sizes.find(first); at != sizes.end()) ordered.push_back(*at);
  }
  for (const auto& size : sizes) {
    if (size.first != "m" && size.first != "n" && size.first != "k") ordered.push_back(size);
  }
  return ordered;
}

}  // namespace tilestep::lab
