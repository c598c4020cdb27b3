// SPDX-License-Identifier: Apache-2.0
#include "metrics/occupancy.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/dim3.h"
#include "base/figure.h"

namespace tilestep::metrics {
namespace {

constexpr uint32_t kLaunchBytes = 16;  ///< On 1.x, shared memory used besides the parameters.

uint64_t roundUp(uint64_t value, uint64_t unit) {
  return ceilDiv(value, unit) * unit;
}

uint64_t warpsOf(const BlockNeeds& block) {
  return ceilDiv(block.threads, kWarpLanes);
}

uint32_t partitions(const Multiprocessor& device) {
  const bool halves = device.major == 2 || (device.major == 6 && device.minor == 0);
  return halves ? 2 : 4;
}

uint32_t registersPerBlock(const Multiprocessor& device) {
  return device.registersPerBlock != 0 ? device.registersPerBlock : device.registers;
}

uint64_t registersOfBlock(const Multiprocessor& device, const BlockNeeds& block) {
  return allocatedRegisters(device, block) * (device.major == 1 ? 1 : warpsOf(block));
}

/// The registers that the driver checks at a launch, as if warps were spread evenly over
/// partitions.
uint64_t checkedRegisters(const Multiprocessor& device, const BlockNeeds& block, uint32_t parts) {
  if (device.major == 1) return registersOfBlock(device, block);
  return allocatedRegisters(device, block) * roundUp(warpsOf(block), parts);
}

uint64_t blocksByRegisters(const Multiprocessor& device, const BlockNeeds& block) {
  const uint64_t taken = allocatedRegisters(device, block);
  if (taken == 0) return UINT32_MAX;
  if (device.major == 1) return device.registers / taken;
  // A warp's registers come from one partition, so the remainder of a partition is unused.
  const uint64_t warps = device.registers / partitions(device) / taken * partitions(device);
  return warps / warpsOf(block);
}

struct Limit {
  const char* name;
  uint64_t blocks = 0, taken = 0, asked = 0, available = 0;
};

/// In the order of ResourceLimit::name; `available` is 0 if a resource limits nothing.
std::array<Limit, 4> limitsOf(const Multiprocessor& device, const BlockNeeds& block) {
  const uint64_t warps = std::max<uint64_t>(warpsOf(block), 1);
  const uint64_t shared = allocatedSharedBytes(device, block);
  return {{{"threads", device.threads / kWarpLanes / warps, warps * kWarpLanes, block.threads,
            device.threads},
           {"registers", blocksByRegisters(device, block), registersOfBlock(device, block),
            uint64_t{block.registersPerThread} * block.threads,
            block.registersPerThread == 0 ? 0 : device.registers},
           {"shared memory", shared == 0 ? 0 : device.sharedBytes / shared, shared,
            block.sharedBytes, shared == 0 ? 0 : device.sharedBytes},
           {"blocks", device.blocks, 1, 1, device.blocks}}};
}

bool tooManyRegisters(const Multiprocessor& device, const BlockNeeds& block) {
  if (device.registers == 0 || block.registersPerThread == 0) return false;
  // The check for 6.0, which has two partitions, is that of later Pascal chips, which have four.
  const uint32_t parts = device.major == 6 ? 4 : partitions(device);
  return checkedRegisters(device, block, parts) > registersPerBlock(device) ||
         block.registersPerThread > maxRegistersPerThread(device);
}

bool tooMuch(const Multiprocessor& device, const BlockNeeds& block) {
  return (device.threadsPerBlock != 0 && block.threads > device.threadsPerBlock) ||
         (device.sharedBytesPerBlock != 0 && block.sharedBytes > device.sharedBytesPerBlock) ||
         tooManyRegisters(device, block);
}

std::string refusalOf(const Multiprocessor& device, const BlockNeeds& block) {
  if (device.threadsPerBlock != 0 && block.threads > device.threadsPerBlock) {
    return "a block has " + std::to_string(block.threads) +
           " threads; this device allows at most " + std::to_string(device.threadsPerBlock);
  }
  if (device.sharedBytesPerBlock != 0 && block.sharedBytes > device.sharedBytesPerBlock) {
    return "a block asks for " + std::to_string(block.sharedBytes) +
           " bytes of shared memory; this device allows at most " +
           std::to_string(device.sharedBytesPerBlock);
  }
  if (!tooManyRegisters(device, block)) return {};
  if (block.registersPerThread > maxRegistersPerThread(device)) {
    return "a thread has " + std::to_string(block.registersPerThread) +
           " registers; this device allows at most " +
           std::to_string(maxRegistersPerThread(device));
  }
  return "a block needs " + grouped(registersOfBlock(device, block)) +
         " registers; this device allows at most " + grouped(registersPerBlock(device));
}

/// Why a block that exceeds no limit per block does not fit on a multiprocessor.
std::string missing(const ResourceLimit& limit) {
  return "a block needs " + grouped(limit.takenPerBlock) + " of the " + grouped(limit.available) +
         " that a multiprocessor has for " + limit.name;
}

uint32_t capped(uint64_t blocks) {
  return static_cast<uint32_t>(std::min<uint64_t>(blocks, UINT32_MAX));
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

uint32_t maxRegistersPerThread(const Multiprocessor& device) {
  if (device.major == 1) return 124;
  return device.major == 2 || (device.major == 3 && device.minor == 0) ? 63 : 255;
}

uint32_t registerUnit(const Multiprocessor& device) {
  if (device.major == 1) return device.minor < 2 ? 256 : 512;
  return device.major == 2 ? 64 : 256;
}

uint32_t sharedUnit(const Multiprocessor& device) {
  if (device.major == 1) return 512;
  return device.major == 2 || device.major >= 8 ? 128 : 256;
}

uint64_t allocatedRegisters(const Multiprocessor& device, const BlockNeeds& block) {
  const uint64_t perWarp = uint64_t{block.registersPerThread} * kWarpLanes;
  if (device.major == 1) return roundUp(perWarp * roundUp(warpsOf(block), 2), registerUnit(device));
  return roundUp(perWarp, registerUnit(device));
}

uint64_t allocatedSharedBytes(const Multiprocessor& device, const BlockNeeds& block) {
  const bool holdsArguments = device.major == 1 && block.argumentBytes > 0;
  const uint64_t arguments = holdsArguments ? kLaunchBytes + block.argumentBytes : 0;
  return roundUp(uint64_t{block.sharedBytes} + device.sharedBytesReservedPerBlock + arguments,
                 sharedUnit(device));
}

uint32_t residentWarps(const Multiprocessor& device, const BlockNeeds& block) {
  if (tooMuch(device, block)) return 0;
  uint64_t blocks = UINT32_MAX;
  for (const Limit& limit : limitsOf(device, block)) {
    if (limit.available != 0) blocks = std::min(blocks, limit.blocks);
  }
  return blocks == UINT32_MAX ? 0 : capped(blocks * warpsOf(block));
}

Occupancy occupancy(const Multiprocessor& device, const BlockNeeds& block) {
  Occupancy result;
  result.warpsMax = device.threads / kWarpLanes;
  result.refusal = refusalOf(device, block);
  for (const Limit& limit : limitsOf(device, block)) {
    if (limit.available == 0) continue;
    const uint64_t simple = limit.asked == 0 ? UINT32_MAX : limit.available / limit.asked;
    result.limits.push_back({limit.name, capped(limit.blocks), limit.taken, limit.available,
                             limit.asked, capped(simple)});
  }
  if (result.limits.empty()) return result;
  const auto least = [&](auto member) {
    return (*std::ranges::min_element(result.limits, {}, member)).*member;
  };
  result.textbookBlocks = least(&ResourceLimit::textbookBlocks);
  result.blocks = result.refusal.empty() ? least(&ResourceLimit::blocks) : 0;
  for (const ResourceLimit& limit : result.limits) {
    if (limit.blocks == result.blocks) result.limiters.push_back(limit.name);
    if (limit.blocks == 0 && result.refusal.empty()) result.refusal = missing(limit);
  }
  if (!result.refusal.empty()) {
    result.blocks = 0;
    result.limiters.clear();
  }
  result.warps = static_cast<uint32_t>(result.blocks * warpsOf(block));
  return result;
}

}  // namespace tilestep::metrics
