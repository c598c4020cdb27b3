// SPDX-License-Identifier: Apache-2.0
#include "metrics/occupancy.h"

#include <algorithm>
#include <charconv>

#include "base/dim3.h"

namespace tilestep::metrics {
namespace {

constexpr uint32_t kWarp = 32;

uint64_t roundUp(uint64_t value, uint64_t unit) {
  return ceilDiv(value, unit) * unit;
}

uint64_t warpsOf(const BlockNeeds& block) {
  return ceilDiv(block.threads, kWarp);
}

uint32_t registerUnit(const Multiprocessor& device) {
  if (device.major == 1) return device.minor < 2 ? 256 : 512;
  return device.major == 2 ? 64 : 256;
}

uint32_t partitions(const Multiprocessor& device) {
  const bool halves = device.major == 2 || (device.major == 6 && device.minor == 0);
  return halves ? 2 : 4;
}

uint32_t sharedUnit(const Multiprocessor& device) {
  if (device.major == 1) return 512;
  return device.major == 2 || device.major >= 8 ? 128 : 256;
}

uint32_t blocksByRegisters(const Multiprocessor& device, const BlockNeeds& block) {
  const uint64_t taken = allocatedRegisters(device, block);
  if (taken == 0) return UINT32_MAX;
  if (device.major == 1) return static_cast<uint32_t>(device.registers / taken);
  // A warp's registers come from one partition, so what is left over there is lost.
  const uint64_t warps = device.registers / partitions(device) / taken * partitions(device);
  return static_cast<uint32_t>(warps / warpsOf(block));
}

void addLimit(Occupancy& result, const char* name, uint64_t blocks, uint64_t taken,
              uint64_t available) {
  if (available == 0) return;
  result.limits.push_back(
      {name, static_cast<uint32_t>(std::min<uint64_t>(blocks, UINT32_MAX)), taken, available});
}

std::string refusalOf(const Multiprocessor& device, const BlockNeeds& block) {
  if (device.threadsPerBlock != 0 && block.threads > device.threadsPerBlock) {
    return "a block has " + std::to_string(block.threads) + " threads; this device takes at most " +
           std::to_string(device.threadsPerBlock);
  }
  if (device.sharedBytesPerBlock != 0 && block.sharedBytes > device.sharedBytesPerBlock) {
    return "a block asks for " + std::to_string(block.sharedBytes) +
           " bytes of shared memory; this device gives at most " +
           std::to_string(device.sharedBytesPerBlock);
  }
  return {};
}

}  // namespace

double Occupancy::ratio() const {
  return warpsMax == 0 ? 0 : static_cast<double>(warps) / warpsMax;
}

std::optional<ComputeCapability> parseComputeCapability(const std::string& text) {
  ComputeCapability result;
  const char* end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, result.major);
  if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, result.minor);
  if (minor.ec != std::errc{} || minor.ptr != end) return std::nullopt;
  return result;
}

uint64_t allocatedRegisters(const Multiprocessor& device, const BlockNeeds& block) {
  const uint64_t perWarp = uint64_t{block.registersPerThread} * kWarp;
  if (device.major == 1) return roundUp(perWarp * roundUp(warpsOf(block), 2), registerUnit(device));
  return roundUp(perWarp, registerUnit(device));
}

uint64_t allocatedSharedBytes(const Multiprocessor& device, const BlockNeeds& block) {
  return roundUp(block.sharedBytes + device.sharedBytesReservedPerBlock, sharedUnit(device));
}

Occupancy occupancy(const Multiprocessor& device, const BlockNeeds& block) {
  Occupancy result;
  result.warpsMax = device.threads / kWarp;
  result.refusal = refusalOf(device, block);
  const uint64_t warps = warpsOf(block);
  const uint64_t shared = allocatedSharedBytes(device, block);
  addLimit(result, "threads", warps == 0 ? 0 : result.warpsMax / warps, warps * kWarp,
           device.threads);
  if (block.registersPerThread != 0) {
    addLimit(result, "registers", blocksByRegisters(device, block),
             allocatedRegisters(device, block) * (device.major == 1 ? 1 : warps), device.registers);
  }
  if (shared != 0) {
    addLimit(result, "shared memory", device.sharedBytes / shared, shared, device.sharedBytes);
  }
  addLimit(result, "blocks", device.blocks, 1, device.blocks);
  if (!result.refusal.empty() || result.limits.empty()) return result;
  result.blocks = UINT32_MAX;
  for (const ResourceLimit& limit : result.limits) {
    result.blocks = std::min(result.blocks, limit.blocks);
  }
  for (const ResourceLimit& limit : result.limits) {
    if (limit.blocks == result.blocks) result.limiters.push_back(limit.name);
  }
  result.warps = static_cast<uint32_t>(result.blocks * warps);
  return result;
}

}  // namespace tilestep::metrics
